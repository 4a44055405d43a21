import { pageBody, pageRequest } from '#lib/service/triggers/http/paging.ts';
import { partnerEndpoint } from '#lib/service/triggers/http/partner-endpoint.ts';
import { idQuery } from '#lib/service/triggers/http/query.ts';
import { ownPayoutReply } from '#lib/service/triggers/http/replies/portal-figures.ts';
import { listOwnPayouts } from '#lib/service/use-cases/list-own-payouts.ts';

export const handler = partnerEndpoint({
  needs: 'partner',
  input: (sent) => ({
    page: pageRequest(sent, 'own payouts', ['payout_id']),
    payoutId: idQuery(sent, 'payout_id'),
  }),
  run: async (deps, { partner }, { page, payoutId }) =>
    pageBody(page, await listOwnPayouts(deps, partner, payoutId, page), ownPayoutReply),
});
