import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { parseBody } from '#lib/service/http/messages/body.ts';
import { decidedReply } from '#lib/service/http/earnings/commission-reply.ts';
import { decideCommissions } from '#lib/service/earnings/commissions/decide-commission.ts';
import { reopening } from '#lib/service/conversions/refunds/reopen-commission.ts';
import { CommissionIdsWithReason } from '#lib/wire/earnings/commission-ids-request.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: ({ json }) => parseBody(CommissionIdsWithReason, json()),
  async run(deps, { program, account, role }, { reason, ...sent }, _, textOf) {
    const decider = { actor: `account:${account.id}`, role } as const;
    const decided = await decideCommissions(deps, program.id, sent, reopening(deps, reason, decider));
    return decided.map((one) => decidedReply(one, textOf));
  },
});
