import { linkStatuses } from '#lib/domain/referral-link.ts';
import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { pageRequest, rankedPageBody } from '#lib/service/triggers/http/paging.ts';
import { chosenQuery, idQuery } from '#lib/service/triggers/http/query.ts';
import { linkReply } from '#lib/service/triggers/http/replies/partner.ts';
import { figuresQuery } from '#lib/service/triggers/http/requests/figures.ts';
import { listLinks } from '#lib/service/use-cases/list-links.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: (sent, now) => ({
    page: pageRequest(sent, 'links', ['partner_id', 'status', 'from', 'to', 'sort']),
    partnerId: idQuery(sent, 'partner_id'),
    status: chosenQuery(sent, 'status', linkStatuses),
    ...figuresQuery(sent, now),
  }),
  run: async (deps, { program }, { page, ...wanted }) =>
    rankedPageBody(page, await listLinks(deps, program, wanted, page), linkReply),
});
