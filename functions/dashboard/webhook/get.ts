import { numericIdOf } from '#lib/domain/identifier.ts';
import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { endpointReply } from '#lib/service/triggers/http/replies/webhook.ts';
import { endpointOf } from '#lib/service/use-cases/list-webhooks.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  subject: (deps, { program }, path) => endpointOf(deps, program.id, numericIdOf(path.endpoint_id)),
  input: () => undefined,
  run: async (_deps, _caller, _input, endpoint) => endpointReply(endpoint),
});
