import { commissionStatuses } from '#lib/domain/commission.ts';
import { pageBody, pageRequest } from '#lib/service/triggers/http/paging.ts';
import { partnerEndpoint } from '#lib/service/triggers/http/partner-endpoint.ts';
import { chosenQuery } from '#lib/service/triggers/http/query.ts';
import { ownCommissionReply } from '#lib/service/triggers/http/replies/portal-figures.ts';
import { listOwnCommissions } from '#lib/service/use-cases/list-own-commissions.ts';

export const handler = partnerEndpoint({
  needs: 'partner',
  input: (sent) => ({
    page: pageRequest(sent, 'own commissions', ['status']),
    status: chosenQuery(sent, 'status', commissionStatuses),
  }),
  run: async (deps, { program, partner }, { page, status }) =>
    pageBody(page, await listOwnCommissions(deps, program, partner, status, page), ownCommissionReply),
});
