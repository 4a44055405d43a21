import { pageBody, pageRequest } from '#lib/service/triggers/http/paging.ts';
import { partnerEndpoint } from '#lib/service/triggers/http/partner-endpoint.ts';
import { ownLinkReply } from '#lib/service/triggers/http/replies/partner.ts';
import { listOwnLinks } from '#lib/service/use-cases/list-own-links.ts';

export const handler = partnerEndpoint({
  needs: 'partner',
  input: (sent) => pageRequest(sent, 'partner links', ['as']),
  run: async (deps, { partner }, page) => pageBody(page, await listOwnLinks(deps, partner, page), ownLinkReply),
});
