import { numericIdOf } from '#lib/service/ground/values/identifier.ts';
import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { parseBody } from '#lib/service/http/messages/body.ts';
import { commissionReply } from '#lib/service/http/earnings/commission-reply.ts';
import { commissionOf, decideCommission, rejection } from '#lib/service/earnings/commissions/decide-commission.ts';
import { asListed } from '#lib/service/reports/lists/list-commissions.ts';
import { Reason } from '#lib/wire/words/reason-request.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  subject: (deps, { program }, path) => commissionOf(deps, program.id, numericIdOf(path.commission_id)),
  input: ({ json }) => parseBody(Reason, json()).reason,
  async run(deps, { program, account, role }, reason, commission) {
    const decider = { actor: `account:${account.id}`, role } as const;
    const rejected = await decideCommission(deps, commission, rejection(deps, reason, decider));
    return commissionReply(await asListed(deps, program, rejected));
  },
});
