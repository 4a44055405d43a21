import { partnerEndpoint } from '#lib/service/http/callers/partner-endpoint.ts';
import { billingReply } from '#lib/service/http/partners/billing-reply.ts';
import { billingParty } from '#lib/service/http/partners/billing-request.ts';
import { setBilling } from '#lib/service/programs/payout-details/billing.ts';

export const handler = partnerEndpoint({
  needs: 'account',
  input: ({ json }) => billingParty(json()),
  run: async (deps, { account }, party) => billingReply(await setBilling(deps, account, party)),
});
