import type { ReferralLink } from '#lib/service/programs/links/referral-link.ts';
import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { parseCompleteBody } from '#lib/service/http/messages/body.ts';
import { linkReply } from '#lib/service/http/partners/partner-reply.ts';
import { comparedWith, seenIn } from '#lib/service/http/messages/seen-request.ts';
import { withPartner } from '#lib/service/reports/lists/list-links.ts';
import { linkOf, setLinkStatus } from '#lib/service/programs/links/set-link-status.ts';
import { LinkStatusChange } from '#lib/wire/partners/partner-request.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  // The partner is read first: a failed read after the write would hide that the write succeeded.
  subject: async (deps, { program }, path) => withPartner(deps, await linkOf(deps, program.id, path.short_link ?? '')),
  input: ({ json }) => ({
    status: parseCompleteBody(LinkStatusChange, json()).status,
    seen: seenIn(json(), ['status']),
  }),
  async run(deps, { program }, { status, seen }, found) {
    const replyOf = (link: ReferralLink) => linkReply({ ...found, link });
    return replyOf(await setLinkStatus(deps, program.id, found.link.shortLink, status, comparedWith(seen, replyOf)));
  },
});
