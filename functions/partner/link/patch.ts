import type { ReferralLink } from '#lib/service/programs/links/referral-link.ts';
import { parseCompleteBody } from '#lib/service/http/messages/body.ts';
import { partnerEndpoint } from '#lib/service/http/callers/partner-endpoint.ts';
import { ownLinkReply } from '#lib/service/http/partners/partner-reply.ts';
import { comparedWith, seenIn } from '#lib/service/http/messages/seen-request.ts';
import { withPartner } from '#lib/service/reports/lists/list-links.ts';
import { ownLinkOf, setOwnLinkStatus } from '#lib/service/programs/links/set-link-status.ts';
import { LinkStatusChange } from '#lib/wire/partners/partner-request.ts';

export const handler = partnerEndpoint({
  needs: 'partner',
  changes: true,
  // The counters are read first: a failed read after the write would hide that the write succeeded.
  subject: async (deps, { partner }, path) => withPartner(deps, await ownLinkOf(deps, partner, path.short_link ?? '')),
  input: ({ json }) => ({
    status: parseCompleteBody(LinkStatusChange, json()).status,
    seen: seenIn(json(), ['status']),
  }),
  async run(deps, { program, partner }, { status, seen }, found) {
    const own = { programId: program.id, partnerId: partner.id, shortLink: found.link.shortLink };
    const replyOf = (link: ReferralLink) => ownLinkReply({ ...found, link });
    return replyOf(await setOwnLinkStatus(deps, own, status, comparedWith(seen, replyOf)));
  },
});
