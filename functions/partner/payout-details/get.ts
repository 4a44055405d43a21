import { partnerEndpoint } from '#lib/service/http/callers/partner-endpoint.ts';
import { payoutDetailsReply } from '#lib/service/http/partners/payout-details-reply.ts';
import { payoutDetailsOf } from '#lib/service/programs/payout-details/read-payout-details.ts';

export const handler = partnerEndpoint({
  needs: 'account',
  input: () => undefined,
  run: async (deps, { account }) => payoutDetailsReply(await payoutDetailsOf(deps, account.id)),
});
