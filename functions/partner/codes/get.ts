import { pageBody, pageRequest } from '#lib/service/triggers/http/paging.ts';
import { partnerEndpoint } from '#lib/service/triggers/http/partner-endpoint.ts';
import { codeReply } from '#lib/service/triggers/http/replies/code.ts';
import { listOwnCodes } from '#lib/service/use-cases/list-codes.ts';

export const handler = partnerEndpoint({
  needs: 'partner',
  input: (sent) => pageRequest(sent, 'own codes'),
  run: async (deps, { partner }, page) => pageBody(page, await listOwnCodes(deps, partner, page), codeReply),
});
