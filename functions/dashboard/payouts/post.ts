import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { payoutReply } from '#lib/service/triggers/http/replies/payout.ts';
import { expectedTotals, partnerOfPayout, throughOfPayout } from '#lib/service/triggers/http/requests/payout.ts';
import { payOut } from '#lib/service/use-cases/pay-out.ts';
import { withCommissions } from '#lib/service/use-cases/read-payouts.ts';
import { partnerOf } from '#lib/service/use-cases/set-partner-status.ts';

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
