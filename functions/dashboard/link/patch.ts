import type { ReferralLink } from '#lib/domain/referral-link.ts';
import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { parseCompleteBody } from '#lib/service/triggers/http/body.ts';
import { linkReply } from '#lib/service/triggers/http/replies/partner.ts';
import { comparedWith, seenIn } from '#lib/service/triggers/http/requests/seen.ts';
import { withPartner } from '#lib/service/use-cases/list-links.ts';
import { linkOf, setLinkStatus } from '#lib/service/use-cases/set-link-status.ts';
import { LinkStatusChange } from '#lib/wire/requests/partner.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  // Reads the partner first: a failed read after the write would hide that the write succeeded.
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
