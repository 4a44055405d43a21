import { numericIdOf } from '#lib/service/ground/values/identifier.ts';
import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { payoutReply } from '#lib/service/http/earnings/payout-reply.ts';
import { continuePayout } from '#lib/service/earnings/recording/record-payout.ts';
import { payoutOf, withCommissions } from '#lib/service/earnings/payouts/read-payouts.ts';

/**
 * Continues an open payout. This needs no recent sign-in: starting the payout needed one, and the schedule would
 * continue it anyway.
 */
export const handler = dashboardEndpoint({
  needs: 'program',
  owner: true,
  subject: (deps, { program }, path) => payoutOf(deps, program.id, numericIdOf(path.payout_id)),
  input: ({ json }) => void json(),
  run: async (deps, { account }, _, payout) =>
    payoutReply(await withCommissions(deps, await continuePayout(deps, payout, `account:${account.id}`))),
});
