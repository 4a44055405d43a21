import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { payoutReply } from '#lib/service/http/earnings/payout-reply.ts';
import { expectedTotals, partnerOfPayout, throughOfPayout } from '#lib/service/http/earnings/payout-request.ts';
import { payOut } from '#lib/service/earnings/payouts/pay-out.ts';
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
    const request = { partnerId, through: throughOfPayout(body) };
    const made = await payOut(deps, program.id, request, `account:${account.id}`, expectedTotals(body));
    return payoutReply(await withCommissions(deps, made));
  },
});
