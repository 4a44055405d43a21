import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { pageBody, pageRequest } from '#lib/service/http/messages/paging.ts';
import { commissionReply } from '#lib/service/http/earnings/commission-reply.ts';
import { commissionFilter, commissionFilters } from '#lib/service/http/earnings/commissions-request.ts';
import { listCommissions } from '#lib/service/reports/lists/list-commissions.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: (sent, _, { currencies }) => ({
    page: pageRequest(sent, 'commissions', commissionFilters),
    filter: commissionFilter(sent, currencies),
  }),
  run: async (deps, { program }, { page, filter }) =>
    pageBody(page, await listCommissions(deps, program, filter, page), commissionReply),
});
