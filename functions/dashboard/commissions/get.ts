import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { pageBody, pageRequest } from '#lib/service/triggers/http/paging.ts';
import { commissionReply } from '#lib/service/triggers/http/replies/commission.ts';
import { commissionFilter, commissionFilters } from '#lib/service/triggers/http/requests/commissions.ts';
import { listCommissions } from '#lib/service/use-cases/list-commissions.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: (sent, _, { currencies }) => ({
    page: pageRequest(sent, 'commissions', commissionFilters),
    filter: commissionFilter(sent, currencies),
  }),
  run: async (deps, { program }, { page, filter }) =>
    pageBody(page, await listCommissions(deps, program, filter, page), commissionReply),
});
