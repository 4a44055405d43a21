import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { pageBody, pageRequest } from '#lib/service/triggers/http/paging.ts';
import { idQuery } from '#lib/service/triggers/http/query.ts';
import { codeReply } from '#lib/service/triggers/http/replies/code.ts';
import { listCodes } from '#lib/service/use-cases/list-codes.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: (sent) => ({
    page: pageRequest(sent, 'codes', ['partner_id']),
    partnerId: idQuery(sent, 'partner_id'),
  }),
  run: async (deps, { program }, { page, ...filter }) =>
    pageBody(page, await listCodes(deps, program.id, filter, page), codeReply),
});
