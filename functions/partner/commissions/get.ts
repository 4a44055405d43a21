import { partnersCommissionStatuses, statusFromPartner } from '#lib/domain/commission-lifecycle.ts';
import { pageBody, pageRequest } from '#lib/service/triggers/http/paging.ts';
import { partnerEndpoint } from '#lib/service/triggers/http/partner-endpoint.ts';
import { chosenQuery, idQuery } from '#lib/service/triggers/http/query.ts';
import { ownCommissionReply, paidCommissionReply } from '#lib/service/triggers/http/replies/portal-figures.ts';
import { listOwnCommissions } from '#lib/service/use-cases/list-own-commissions.ts';

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
