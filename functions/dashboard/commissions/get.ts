import { commissionStatuses } from '#lib/domain/commission.ts';
import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { pageBody, pageRequest } from '#lib/service/triggers/http/paging.ts';
import { chosenQuery, idQuery } from '#lib/service/triggers/http/query.ts';
import { commissionReply } from '#lib/service/triggers/http/replies/commission.ts';
import { listCommissions } from '#lib/service/use-cases/list-commissions.ts';

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
