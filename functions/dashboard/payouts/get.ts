import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { pageBody, pageRequest } from '#lib/service/http/messages/paging.ts';
import { listedPayoutReply } from '#lib/service/http/earnings/payout-reply.ts';
import { listPayouts } from '#lib/service/earnings/payouts/read-payouts.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: (sent) => pageRequest(sent, 'payouts'),
  run: async (deps, { program }, page) => pageBody(page, await listPayouts(deps, program.id, page), listedPayoutReply),
});
