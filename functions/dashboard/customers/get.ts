import { customerStatuses } from '#lib/domain/customer.ts';
import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { pageBody, pageRequest } from '#lib/service/triggers/http/paging.ts';
import { chosenQuery, idQuery } from '#lib/service/triggers/http/query.ts';
import { customerReply } from '#lib/service/triggers/http/replies/customer.ts';
import { listCustomers } from '#lib/service/use-cases/list-customers.ts';

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
