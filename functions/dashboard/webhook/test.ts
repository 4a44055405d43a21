import { numericIdOf } from '#lib/domain/identifier.ts';
import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { deliveryReply } from '#lib/service/triggers/http/replies/webhook.ts';
import { testedEvent } from '#lib/service/triggers/http/requests/webhook.ts';
import { endpointOf } from '#lib/service/use-cases/list-webhooks.ts';
import { sendTest } from '#lib/service/use-cases/replay-deliveries.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  subject: (deps, { program }, path) => endpointOf(deps, program.id, numericIdOf(path.endpoint_id)),
  input: ({ json }) => testedEvent(json()),
  run: async (deps, { program }, event, endpoint) => deliveryReply(await sendTest(deps, program, endpoint, event)),
});
