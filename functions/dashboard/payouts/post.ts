import { dashboardEndpoint } from '#lib/http/account-endpoint.ts';
import { payoutReply } from '#lib/http/replies/commission.ts';
import { partnerOfPayout, throughOfPayout } from '#lib/http/requests/commission.ts';
import { payOut, withPartners } from '#lib/use-cases/pay-out.ts';
import { partnerOf } from '#lib/use-cases/set-partner-status.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  owner: true,
  input: ({ json }) => json(),
  async run(deps, { program, account }, body) {
    const partnerId = partnerOfPayout(body);
    if (partnerId !== undefined) await partnerOf(deps, program.id, partnerId);
    const request = { partnerId, through: throughOfPayout(body) };
    return payoutReply(await withPartners(deps, await payOut(deps, program.id, request, `account:${account.id}`)));
  },
});
