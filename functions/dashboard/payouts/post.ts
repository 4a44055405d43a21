import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { payoutReply } from '#lib/service/http/earnings/payout-reply.ts';
import { choiceOfPayout, expectedTotals, partnerOfPayout } from '#lib/service/http/earnings/payout-request.ts';
import { payOut } from '#lib/service/earnings/recording/record-payout.ts';
import { withCommissions } from '#lib/service/earnings/payouts/read-payouts.ts';
import { partnerOf } from '#lib/service/programs/partners/set-partner-status.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  owner: true,
  recentSignIn: true,
  input: ({ json }) => json(),
  async run(deps, { program, account }, body) {
    const partnerId = partnerOfPayout(body);
    if (partnerId !== undefined) await partnerOf(deps, program.id, partnerId);
    const choice = choiceOfPayout(body, deps.config.currencies);
    const payout = await payOut(deps, program.id, choice, `account:${account.id}`, expectedTotals(body));
    return payoutReply(await withCommissions(deps, payout));
  },
});
