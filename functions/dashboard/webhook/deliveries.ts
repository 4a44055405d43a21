import { deliveryStatuses } from '#lib/service/outbox/sending/delivery.ts';
import { numericIdOf } from '#lib/service/ground/values/identifier.ts';
import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { pageBody, pageRequest } from '#lib/service/http/messages/paging.ts';
import { chosenQuery } from '#lib/service/http/messages/query.ts';
import { deliveryReply } from '#lib/service/http/outbox/webhook-reply.ts';
import { endpointOf, listDeliveries } from '#lib/service/outbox/webhooks/list-webhooks.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  subject: (deps, { program }, path) => endpointOf(deps, program.id, numericIdOf(path.endpoint_id)),
  input: (sent) => ({
    page: pageRequest(sent, `webhooks/${sent.path.endpoint_id}/deliveries`, ['status']),
    status: chosenQuery(sent, 'status', deliveryStatuses),
  }),
  run: async (deps, _caller, { page, status }, { id }) =>
    pageBody(page, await listDeliveries(deps, id, status, page), deliveryReply),
});
