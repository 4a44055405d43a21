import { DETAILS_SIGN_IN_MS } from '#lib/service/programs/payout-details/payout-details.ts';
import { signInToBePaid } from '#lib/service/ground/values/refusals.ts';
import { partnerEndpoint } from '#lib/service/http/callers/partner-endpoint.ts';
import { shownPayoutDetails } from '#lib/service/http/partners/payout-details-reply.ts';
import { payoutDetails } from '#lib/service/http/partners/payout-details-request.ts';
import { setPayoutDetails } from '#lib/service/earnings/payouts/set-payout-details.ts';

export const handler = partnerEndpoint({
  needs: 'account',
  recentSignIn: { withinMs: DETAILS_SIGN_IN_MS, refusal: signInToBePaid },
  input: ({ json }) => payoutDetails(json()),
  run: async (deps, { account }, details) => shownPayoutDetails(await setPayoutDetails(deps, account, details)),
});
