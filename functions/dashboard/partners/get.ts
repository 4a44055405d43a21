import { partnerStatuses } from '#lib/domain/partner.ts';
import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { pageRequest, rankedPageBody } from '#lib/service/triggers/http/paging.ts';
import { choiceQuery, chosenQuery } from '#lib/service/triggers/http/query.ts';
import { partnerReply } from '#lib/service/triggers/http/replies/partner.ts';
import { figuresQuery } from '#lib/service/triggers/http/requests/figures.ts';
import { listPartners } from '#lib/service/use-cases/list-partners.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: (sent, now) => ({
    page: pageRequest(sent, 'partners', ['status', 'queued', 'from', 'to', 'sort']),
    status: chosenQuery(sent, 'status', partnerStatuses),
    isQueued: choiceQuery(sent, 'queued'),
    ...figuresQuery(sent, now),
  }),
  run: async (deps, { program, role }, { page, ...wanted }) =>
    rankedPageBody(page, await listPartners(deps, program, wanted, page), (row) => partnerReply(row, deps.now, role)),
});
