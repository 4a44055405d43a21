import { dashboardEndpoint } from '#lib/http/account-endpoint.ts';
import { payoutReply } from '#lib/http/replies/payout.ts';
import { partnerOfPayout, throughOfPayout } from '#lib/http/requests/payout.ts';
import { payOut } from '#lib/use-cases/pay-out.ts';
import { withCommissions } from '#lib/use-cases/read-payouts.ts';
import { partnerOf } from '#lib/use-cases/set-partner-status.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  owner: true,
  input: ({ json }) => json(),
  async run(deps, { program, account }, body) {
    const partnerId = partnerOfPayout(body);
    if (partnerId !== undefined) await partnerOf(deps, program.id, partnerId);
    const request = { partnerId, through: throughOfPayout(body) };
    return payoutReply(await withCommissions(deps, await payOut(deps, program.id, request, `account:${account.id}`)));
  },
});
