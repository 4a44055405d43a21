import { partnerEndpoint } from '#lib/service/http/callers/partner-endpoint.ts';
import { billingReply } from '#lib/service/http/partners/billing-reply.ts';
import { billingOf } from '#lib/service/programs/payout-details/billing.ts';

export const handler = partnerEndpoint({
  needs: 'account',
  input: ({ query }) => query['as'] !== undefined,
  async run(deps, { account }, isView) {
    const billing = await billingOf(deps, account.id);
    return billing ? billingReply(billing, isView) : null;
  },
});
