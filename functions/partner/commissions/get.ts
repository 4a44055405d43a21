import {
  partnersCommissionStatuses,
  statusFromPartner,
} from '#lib/service/earnings/commissions/commission-lifecycle.ts';
import { pageBody, pageRequest } from '#lib/service/http/messages/paging.ts';
import { partnerEndpoint } from '#lib/service/http/callers/partner-endpoint.ts';
import { chosenQuery, idQuery } from '#lib/service/http/messages/query.ts';
import { ownCommissionReply, paidCommissionReply } from '#lib/service/http/reports/portal-figures-reply.ts';
import { listOwnCommissions } from '#lib/service/reports/exports/list-own-commissions.ts';

export const handler = partnerEndpoint({
  needs: 'partner',
  input(sent) {
    const status = chosenQuery(sent, 'status', partnersCommissionStatuses);
    return {
      page: pageRequest(sent, 'own commissions', ['status', 'payout_id']),
      status: status && statusFromPartner(status),
      payoutId: idQuery(sent, 'payout_id'),
    };
  },
  async run(deps, { program, partner }, { page, ...filter }) {
    const { payoutId } = filter;
    const listed = await listOwnCommissions(deps, program, partner, filter, page);
    return payoutId === undefined
      ? pageBody(page, listed, ownCommissionReply)
      : pageBody(page, listed, (commission) => paidCommissionReply(commission, payoutId));
  },
});
