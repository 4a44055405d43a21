import { dashboardEndpoint } from '#lib/http/account-endpoint.ts';
import { pageBody, pageRequest } from '#lib/http/paging.ts';
import { payoutReply } from '#lib/http/replies/payout.ts';
import { listPayouts } from '#lib/use-cases/read-payouts.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: (sent) => pageRequest(sent, 'payouts'),
  run: async (deps, { program }, page) => pageBody(page, await listPayouts(deps, program.id, page), payoutReply),
});
