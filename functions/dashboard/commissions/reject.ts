import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { parseBody } from '#lib/service/http/messages/body.ts';
import { decidedReply } from '#lib/service/http/earnings/commission-reply.ts';
import { decideCommissions, rejection } from '#lib/service/earnings/commissions/decide-commission.ts';
import { CommissionIdsWithReason } from '#lib/wire/earnings/commission-ids-request.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: ({ json }) => parseBody(CommissionIdsWithReason, json()),
  async run(deps, { program, account, role }, { reason, ...sent }, _, textOf) {
    const decider = { actor: `account:${account.id}`, role } as const;
    const decided = await decideCommissions(deps, program.id, sent, rejection(deps, reason, decider));
    return decided.map((one) => decidedReply(one, textOf));
  },
});
