import { partnerEndpoint } from '#lib/service/triggers/http/partner-endpoint.ts';
import { portalProgramReply } from '#lib/service/triggers/http/replies/portal.ts';
import { acceptPartnership } from '#lib/service/use-cases/accept-partnership.ts';
import { programOfPartner, seenBy } from '#lib/service/use-cases/program-of-partner.ts';

export const handler = partnerEndpoint({
  needs: 'partner',
  // Reads it first: a failed read after the write would hide that the write succeeded.
  subject: programOfPartner,
  input: ({ json }) => json().terms_version,
  async run(deps, { partner }, termsVersion, found) {
    const accepted = await acceptPartnership(deps, partner, termsVersion);
    return portalProgramReply(seenBy(accepted, found, deps.now));
  },
});
