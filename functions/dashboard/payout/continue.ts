import { numericIdOf } from '#lib/service/ground/values/identifier.ts';
import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { payoutReply } from '#lib/service/http/earnings/payout-reply.ts';
import { continuePayout } from '#lib/service/earnings/recording/record-payout.ts';
import { payoutOf, withCommissions } from '#lib/service/earnings/payouts/read-payouts.ts';

/** Needs no recent sign-in: what it goes on with was begun with one, and goes on by itself, too. */
export const handler = dashboardEndpoint({
  needs: 'program',
  owner: true,
  subject: (deps, { program }, path) => payoutOf(deps, program.id, numericIdOf(path.payout_id)),
  input: ({ json }) => void json(),
  run: async (deps, { account }, _, payout) =>
    payoutReply(await withCommissions(deps, await continuePayout(deps, payout, `account:${account.id}`))),
});
