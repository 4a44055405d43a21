import { partnerEndpoint } from '#lib/service/http/callers/partner-endpoint.ts';
import { portalProgramReply } from '#lib/service/http/partners/portal-reply.ts';
import { acceptPartnership } from '#lib/service/programs/joining/accept-partnership.ts';
import { programOfPartner, seenBy } from '#lib/service/programs/joining/program-of-partner.ts';

export const handler = partnerEndpoint({
  needs: 'partner',
  // The program is read first: a failed read after the write would hide that the write succeeded.
  subject: programOfPartner,
  input: ({ json }) => json().terms_version,
  async run(deps, { partner }, termsVersion, found) {
    const accepted = await acceptPartnership(deps, partner, termsVersion);
    return portalProgramReply(seenBy(accepted, found, deps.now));
  },
});
