import { deliveryStatuses } from '#lib/domain/delivery.ts';
import { numericIdOf } from '#lib/domain/identifier.ts';
import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { pageBody, pageRequest } from '#lib/service/triggers/http/paging.ts';
import { chosenQuery } from '#lib/service/triggers/http/query.ts';
import { deliveryReply } from '#lib/service/triggers/http/replies/webhook.ts';
import { endpointOf, listDeliveries } from '#lib/service/use-cases/list-webhooks.ts';

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
