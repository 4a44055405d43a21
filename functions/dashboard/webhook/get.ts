import { numericIdOf } from '#lib/service/ground/values/identifier.ts';
import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { endpointReply } from '#lib/service/http/outbox/webhook-reply.ts';
import { endpointOf } from '#lib/service/outbox/webhooks/list-webhooks.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  subject: (deps, { program }, path) => endpointOf(deps, program.id, numericIdOf(path.endpoint_id)),
  input: () => undefined,
  run: async (_deps, _caller, _input, endpoint) => endpointReply(endpoint),
});
