import { numericIdOf } from '#lib/domain/identifier.ts';
import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { endpointReply } from '#lib/service/triggers/http/replies/webhook.ts';
import { removeEndpoint } from '#lib/service/use-cases/change-webhooks.ts';
import { endpointOf } from '#lib/service/use-cases/list-webhooks.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  owner: true,
  subject: (deps, { program }, path) => endpointOf(deps, program.id, numericIdOf(path.endpoint_id)),
  input: () => undefined,
  run: async (deps, { program }, _input, { id }) => endpointReply(await removeEndpoint(deps, program.id, id)),
});
