import { numericIdOf } from '#lib/domain/identifier.ts';
import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { deliveryReply } from '#lib/service/triggers/http/replies/webhook.ts';
import { deliveryOf, endpointOf } from '#lib/service/use-cases/list-webhooks.ts';
import { replayDelivery } from '#lib/service/use-cases/replay-deliveries.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  async subject(deps, { program }, path) {
    const endpoint = await endpointOf(deps, program.id, numericIdOf(path.endpoint_id));
    return { endpoint, delivery: await deliveryOf(deps, endpoint.id, path.delivery_id) };
  },
  // It has no fields, but what is sent must be JSON.
  input: ({ json }) => json(),
  run: async (deps, { program }, _input, { endpoint, delivery }) =>
    deliveryReply(await replayDelivery(deps, program, endpoint, delivery)),
});
