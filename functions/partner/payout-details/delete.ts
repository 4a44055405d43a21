import { partnerEndpoint } from '#lib/service/http/callers/partner-endpoint.ts';
import { deletePayoutDetails } from '#lib/service/programs/payout-details/delete-payout-details.ts';

export const handler = partnerEndpoint({
  needs: 'account',
  recentSignIn: true,
  input: () => undefined,
  async run(deps, { account }) {
    await deletePayoutDetails(deps, account);
    return { deleted: true };
  },
});
