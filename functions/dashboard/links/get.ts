import { linkStatuses } from '#lib/domain/referral-link.ts';
import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { pageBody, pageRequest } from '#lib/service/triggers/http/paging.ts';
import { chosenQuery, idQuery } from '#lib/service/triggers/http/query.ts';
import { linkReply } from '#lib/service/triggers/http/replies/partner.ts';
import { listLinks } from '#lib/service/use-cases/list-links.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: (sent) => ({
    page: pageRequest(sent, 'links', ['partner_id', 'status']),
    partnerId: idQuery(sent, 'partner_id'),
    status: chosenQuery(sent, 'status', linkStatuses),
  }),
  run: async (deps, { program }, { page, ...filter }) =>
    pageBody(page, await listLinks(deps, program.id, filter, page), linkReply),
});
