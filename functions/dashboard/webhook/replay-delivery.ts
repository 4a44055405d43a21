import { numericIdOf } from '#lib/service/ground/values/identifier.ts';
import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { deliveryReply } from '#lib/service/http/outbox/webhook-reply.ts';
import { deliveryOf, endpointOf } from '#lib/service/outbox/webhooks/list-webhooks.ts';
import { replayDelivery } from '#lib/service/outbox/deliveries/replay-deliveries.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  async subject(deps, { program }, path) {
    const endpoint = await endpointOf(deps, program.id, numericIdOf(path.endpoint_id));
    return { endpoint, delivery: await deliveryOf(deps, endpoint.id, path.delivery_id) };
  },
  // The request has no fields, but if it has a body, this must be valid JSON.
  input: ({ json }) => json(),
  run: async (deps, { program }, _input, { endpoint, delivery }) =>
    deliveryReply(await replayDelivery(deps, program, endpoint, delivery)),
});
