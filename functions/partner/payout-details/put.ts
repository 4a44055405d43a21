import { DETAILS_SIGN_IN_MS } from '#lib/domain/payout-details.ts';
import { signInToBePaid } from '#lib/domain/refusals.ts';
import { partnerEndpoint } from '#lib/service/triggers/http/partner-endpoint.ts';
import { shownPayoutDetails } from '#lib/service/triggers/http/replies/payout-details.ts';
import { payoutDetails } from '#lib/service/triggers/http/requests/payout-details.ts';
import { setPayoutDetails } from '#lib/service/use-cases/set-payout-details.ts';

export const handler = partnerEndpoint({
  needs: 'account',
  recentSignIn: { withinMs: DETAILS_SIGN_IN_MS, refusal: signInToBePaid },
  input: ({ json }) => payoutDetails(json()),
  run: async (deps, { account }, details) => shownPayoutDetails(await setPayoutDetails(deps, account, details)),
});
