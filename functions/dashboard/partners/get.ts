import { partnerStatuses } from '#lib/domain/partner.ts';
import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { pageBody, pageRequest } from '#lib/service/triggers/http/paging.ts';
import { chosenQuery } from '#lib/service/triggers/http/query.ts';
import { partnerReply } from '#lib/service/triggers/http/replies/partner.ts';
import { listPartners } from '#lib/service/use-cases/list-partners.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: (sent) => ({
    page: pageRequest(sent, 'partners', ['status']),
    status: chosenQuery(sent, 'status', partnerStatuses),
  }),
  run: async (deps, { program }, { page, status }) =>
    pageBody(page, await listPartners(deps, program.id, status, page), partnerReply),
});
