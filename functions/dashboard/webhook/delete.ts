import { numericIdOf } from '#lib/service/ground/values/identifier.ts';
import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { endpointReply } from '#lib/service/http/outbox/webhook-reply.ts';
import { removeEndpoint } from '#lib/service/outbox/webhooks/change-webhooks.ts';
import { endpointOf } from '#lib/service/outbox/webhooks/list-webhooks.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  owner: true,
  subject: (deps, { program }, path) => endpointOf(deps, program.id, numericIdOf(path.endpoint_id)),
  input: () => undefined,
  run: async (deps, { program }, _input, { id }) => endpointReply(await removeEndpoint(deps, program.id, id)),
});
