import { linkStatuses } from '#lib/domain/referral-link.ts';
import { dashboardEndpoint } from '#lib/http/account-endpoint.ts';
import { pageBody, pageRequest } from '#lib/http/paging.ts';
import { chosenQuery, idQuery } from '#lib/http/query.ts';
import { linkReply } from '#lib/http/replies/partner.ts';
import { listLinks } from '#lib/use-cases/list-links.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: (sent) => {
    const partnerId = idQuery(sent, 'partner_id');
    const status = chosenQuery(sent, 'status', linkStatuses);
    const list = `links ${sent.path.id} ${partnerId} ${status}`;
    return { filter: { partnerId, status }, list, page: pageRequest(sent, list) };
  },
  run: async (deps, { program }, { filter, list, page }) =>
    pageBody(list, await listLinks(deps, program.id, filter, page), linkReply),
});
