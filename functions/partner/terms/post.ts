import { missingFields } from '#lib/domain/refusals.ts';
import { partnerEndpoint } from '#lib/service/triggers/http/partner-endpoint.ts';
import { acceptedTermsReply } from '#lib/service/triggers/http/replies/partner.ts';
import { acceptTerms } from '#lib/service/use-cases/accept-terms.ts';

export const handler = partnerEndpoint({
  needs: 'partner',
  input({ json }) {
    const { version } = json();
    if (version === undefined) throw missingFields(['version']);
    return version;
  },
  run: async (deps, { partner }, version) => acceptedTermsReply(await acceptTerms(deps, partner, version)),
});
