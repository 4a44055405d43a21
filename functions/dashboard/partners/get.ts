import { partnerStatuses } from '#lib/service/programs/partners/partner.ts';
import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { pageRequest, rankedPageBody } from '#lib/service/http/messages/paging.ts';
import { choiceQuery, chosenQuery } from '#lib/service/http/messages/query.ts';
import { partnerReply } from '#lib/service/http/partners/partner-reply.ts';
import { figuresParameters, figuresQuery } from '#lib/service/http/reports/figures-request.ts';
import { listPartners } from '#lib/service/reports/lists/list-partners.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: (sent, now, config) => ({
    page: pageRequest(sent, 'partners', ['status', 'queued', ...figuresParameters]),
    status: chosenQuery(sent, 'status', partnerStatuses),
    isQueued: choiceQuery(sent, 'queued'),
    ...figuresQuery(sent, now, config),
  }),
  run: async (deps, { program, role }, { page, ...wanted }) =>
    rankedPageBody(page, await listPartners(deps, program, wanted, page), (row) => partnerReply(row, deps.now, role)),
});
