import { numericIdOf } from '#lib/service/ground/values/identifier.ts';
import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { deliveryReply } from '#lib/service/http/outbox/webhook-reply.ts';
import { testedEvent } from '#lib/service/http/outbox/webhook-request.ts';
import { endpointOf } from '#lib/service/outbox/webhooks/list-webhooks.ts';
import { sendTest } from '#lib/service/outbox/deliveries/replay-deliveries.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  subject: (deps, { program }, path) => endpointOf(deps, program.id, numericIdOf(path.endpoint_id)),
  input: ({ json }) => testedEvent(json()),
  run: async (deps, { program }, event, endpoint) => deliveryReply(await sendTest(deps, program, endpoint, event)),
});
