import { commissionStatuses } from '#lib/domain/commission.ts';
import { dashboardEndpoint } from '#lib/http/account-endpoint.ts';
import { pageBody, pageRequest } from '#lib/http/paging.ts';
import { chosenQuery, idQuery } from '#lib/http/query.ts';
import { commissionReply } from '#lib/http/replies/commission.ts';
import { listCommissions } from '#lib/use-cases/list-commissions.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: (sent) => ({
    page: pageRequest(sent, 'commissions', ['status', 'partner_id']),
    status: chosenQuery(sent, 'status', commissionStatuses),
    partnerId: idQuery(sent, 'partner_id'),
  }),
  run: async (deps, { program }, { page, ...filter }) =>
    pageBody(page, await listCommissions(deps, program, filter, page), commissionReply),
});
