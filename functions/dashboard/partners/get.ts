import { partnerStatuses } from '#lib/domain/partner.ts';
import { dashboardEndpoint } from '#lib/http/account-endpoint.ts';
import { chosenQuery } from '#lib/http/query.ts';
import { pageBody, pageRequest } from '#lib/http/paging.ts';
import { partnerReply } from '#lib/http/replies/partner.ts';
import { listPartners } from '#lib/use-cases/list-partners.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: (sent) => {
    const status = chosenQuery(sent, 'status', partnerStatuses);
    const list = `partners ${sent.path.id} ${status}`;
    return { status, list, page: pageRequest(sent, list) };
  },
  run: async (deps, { program }, { status, list, page }) =>
    pageBody(list, await listPartners(deps, program.id, status, page), partnerReply),
});
