import { pageBody, pageRequest } from '#lib/service/triggers/http/paging.ts';
import { partnerEndpoint } from '#lib/service/triggers/http/partner-endpoint.ts';
import { ownPayoutReply } from '#lib/service/triggers/http/replies/portal-figures.ts';
import { listOwnPayouts } from '#lib/service/use-cases/list-own-payouts.ts';

export const handler = partnerEndpoint({
  needs: 'partner',
  input: (sent) => pageRequest(sent, 'own payouts'),
  run: async (deps, { partner }, page) => pageBody(page, await listOwnPayouts(deps, partner, page), ownPayoutReply),
});
