import { parseCompleteBody } from '#lib/service/triggers/http/body.ts';
import { partnerEndpoint } from '#lib/service/triggers/http/partner-endpoint.ts';
import { ownLinkReply } from '#lib/service/triggers/http/replies/partner.ts';
import { withPartner } from '#lib/service/use-cases/list-links.ts';
import { ownLinkOf, setOwnLinkStatus } from '#lib/service/use-cases/set-link-status.ts';
import { LinkStatusChange } from '#lib/wire/requests/partner.ts';

export const handler = partnerEndpoint({
  needs: 'partner',
  changes: true,
  // Reads the counters first: a failed read after the write would hide that the write succeeded.
  subject: async (deps, { partner }, path) => withPartner(deps, await ownLinkOf(deps, partner, path.short_link ?? '')),
  input: ({ json }) => parseCompleteBody(LinkStatusChange, json()).status,
  async run(deps, { program, partner }, status, found) {
    const { shortLink } = found.link;
    const link = await setOwnLinkStatus(deps, { programId: program.id, partnerId: partner.id, shortLink }, status);
    return ownLinkReply({ ...found, link });
  },
});
