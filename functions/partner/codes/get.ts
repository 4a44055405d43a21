import { pageBody, pageRequest } from '#lib/service/http/messages/paging.ts';
import { partnerEndpoint } from '#lib/service/http/callers/partner-endpoint.ts';
import { codeReply } from '#lib/service/http/programs/code-reply.ts';
import { listOwnCodes } from '#lib/service/reports/lists/list-codes.ts';

export const handler = partnerEndpoint({
  needs: 'partner',
  input: (sent) => pageRequest(sent, 'own codes'),
  run: async (deps, { partner }, page) => pageBody(page, await listOwnCodes(deps, partner, page), codeReply),
});
