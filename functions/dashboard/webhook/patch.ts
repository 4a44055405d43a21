import { numericIdOf } from '#lib/service/ground/values/identifier.ts';
import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { endpointReply } from '#lib/service/http/outbox/webhook-reply.ts';
import { comparedWith, seenIn } from '#lib/service/http/messages/seen-request.ts';
import { endpointChange, ENDPOINT_FIELDS } from '#lib/service/http/outbox/webhook-request.ts';
import { changeEndpoint } from '#lib/service/outbox/webhooks/change-webhooks.ts';
import { endpointOf } from '#lib/service/outbox/webhooks/list-webhooks.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  owner: true,
  subject: (deps, { program }, path) => endpointOf(deps, program.id, numericIdOf(path.endpoint_id)),
  input: ({ json }, _now, config) => ({
    change: endpointChange(json(), config),
    seen: seenIn(json(), ENDPOINT_FIELDS),
  }),
  run: async (deps, { program }, { change, seen }, { id }) =>
    endpointReply(await changeEndpoint(deps, program.id, id, change, comparedWith(seen, endpointReply))),
});
