import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { pageBody, pageRequest } from '#lib/service/triggers/http/paging.ts';
import { listedPayoutReply } from '#lib/service/triggers/http/replies/payout.ts';
import { listPayouts } from '#lib/service/use-cases/read-payouts.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: (sent) => pageRequest(sent, 'payouts'),
  run: async (deps, { program }, page) => pageBody(page, await listPayouts(deps, program.id, page), listedPayoutReply),
});
