import { partnerEndpoint } from '#lib/service/triggers/http/partner-endpoint.ts';
import { deletePayoutDetails } from '#lib/service/use-cases/delete-payout-details.ts';

export const handler = partnerEndpoint({
  needs: 'account',
  recentSignIn: true,
  input: () => undefined,
  async run(deps, { account }) {
    await deletePayoutDetails(deps, account);
    return { deleted: true };
  },
});
