import { customerStatuses } from '#lib/service/traffic/customers/customer.ts';
import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { pageBody, pageRequest } from '#lib/service/http/messages/paging.ts';
import { chosenQuery, idQuery } from '#lib/service/http/messages/query.ts';
import { customerReply } from '#lib/service/http/traffic/customer-reply.ts';
import { listCustomers } from '#lib/service/reports/lists/list-customers.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: (sent) => ({
    page: pageRequest(sent, 'customers', ['status', 'partner_id']),
    status: chosenQuery(sent, 'status', customerStatuses),
    partnerId: idQuery(sent, 'partner_id'),
  }),
  run: async (deps, { program }, { page, ...filter }) =>
    pageBody(page, await listCustomers(deps, program.id, filter, page), customerReply),
});
