import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { pageBody, pageRequest } from '#lib/service/http/messages/paging.ts';
import { idQuery } from '#lib/service/http/messages/query.ts';
import { codeReply } from '#lib/service/http/programs/code-reply.ts';
import { listCodes } from '#lib/service/reports/lists/list-codes.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: (sent) => ({
    page: pageRequest(sent, 'codes', ['partner_id']),
    partnerId: idQuery(sent, 'partner_id'),
  }),
  run: async (deps, { program }, { page, ...filter }) =>
    pageBody(page, await listCodes(deps, program.id, filter, page), codeReply),
});
