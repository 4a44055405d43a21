import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { pageBody, pageRequest } from '#lib/service/http/messages/paging.ts';
import { listedTermsReply } from '#lib/service/http/programs/terms-reply.ts';
import { listTerms } from '#lib/service/programs/changed-terms/list-terms.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: (sent) => pageRequest(sent, 'terms'),
  run: async (deps, { program }, page) => pageBody(page, await listTerms(deps, program, page), listedTermsReply),
});
