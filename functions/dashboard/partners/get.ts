import { partnerStatuses } from '#lib/domain/partner.ts';
import { dashboardEndpoint } from '#lib/http/account-endpoint.ts';
import { pageBody, pageRequest } from '#lib/http/paging.ts';
import { chosenQuery } from '#lib/http/query.ts';
import { partnerReply } from '#lib/http/replies/partner.ts';
import { listPartners } from '#lib/use-cases/list-partners.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: (sent) => ({
    page: pageRequest(sent, 'partners', ['status']),
    status: chosenQuery(sent, 'status', partnerStatuses),
  }),
  run: async (deps, { program }, { page, status }) =>
    pageBody(page, await listPartners(deps, program.id, status, page), partnerReply),
});
