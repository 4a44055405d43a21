import { pageBody, pageRequest } from '#lib/service/http/messages/paging.ts';
import { partnerEndpoint } from '#lib/service/http/callers/partner-endpoint.ts';
import { idQuery } from '#lib/service/http/messages/query.ts';
import { ownPayoutReply } from '#lib/service/http/reports/portal-figures-reply.ts';
import { listOwnPayouts } from '#lib/service/reports/exports/list-own-payouts.ts';

export const handler = partnerEndpoint({
  needs: 'partner',
  input: (sent) => ({
    page: pageRequest(sent, 'own payouts', ['payout_id']),
    payoutId: idQuery(sent, 'payout_id'),
  }),
  run: async (deps, { partner }, { page, payoutId }) =>
    pageBody(page, await listOwnPayouts(deps, partner, payoutId, page), ownPayoutReply),
});
