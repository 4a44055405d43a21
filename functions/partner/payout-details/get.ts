import { partnerEndpoint } from '#lib/service/triggers/http/partner-endpoint.ts';
import { payoutDetailsReply } from '#lib/service/triggers/http/replies/payout-details.ts';
import { payoutDetailsOf } from '#lib/service/use-cases/payout-details.ts';

export const handler = partnerEndpoint({
  needs: 'account',
  input: () => undefined,
  run: async (deps, { account }) => payoutDetailsReply(await payoutDetailsOf(deps, account.id)),
});
