import { linkStatuses } from '#lib/service/programs/links/referral-link.ts';
import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { pageRequest, rankedPageBody } from '#lib/service/http/messages/paging.ts';
import { chosenQuery, idQuery } from '#lib/service/http/messages/query.ts';
import { linkReply } from '#lib/service/http/partners/partner-reply.ts';
import { figuresParameters, figuresQuery } from '#lib/service/http/reports/figures-request.ts';
import { listLinks } from '#lib/service/reports/lists/list-links.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: (sent, now, config) => ({
    page: pageRequest(sent, 'links', ['partner_id', 'status', ...figuresParameters]),
    partnerId: idQuery(sent, 'partner_id'),
    status: chosenQuery(sent, 'status', linkStatuses),
    ...figuresQuery(sent, now, config),
  }),
  run: async (deps, { program }, { page, ...wanted }) =>
    rankedPageBody(page, await listLinks(deps, program, wanted, page), linkReply),
});
