import { missingFields } from '#lib/service/ground/values/refusals.ts';
import { partnerEndpoint } from '#lib/service/http/callers/partner-endpoint.ts';
import { acceptedTermsReply } from '#lib/service/http/partners/partner-reply.ts';
import { acceptTerms } from '#lib/service/programs/joining/accept-terms.ts';

export const handler = partnerEndpoint({
  needs: 'partner',
  input({ json }) {
    const { version } = json();
    if (version === undefined) throw missingFields(['version']);
    return version;
  },
  run: async (deps, { partner }, version) => acceptedTermsReply(await acceptTerms(deps, partner, version)),
});
