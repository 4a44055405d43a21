import { pageBody, pageRequest } from '#lib/service/http/messages/paging.ts';
import { partnerEndpoint } from '#lib/service/http/callers/partner-endpoint.ts';
import { ownLinkReply } from '#lib/service/http/partners/partner-reply.ts';
import { listOwnLinks } from '#lib/service/reports/exports/list-own-links.ts';

export const handler = partnerEndpoint({
  needs: 'partner',
  input: (sent) => pageRequest(sent, 'partner links', ['as']),
  run: async (deps, { partner }, page) => pageBody(page, await listOwnLinks(deps, partner, page), ownLinkReply),
});
