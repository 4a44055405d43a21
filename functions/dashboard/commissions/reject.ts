import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { parseBody } from '#lib/service/http/messages/body.ts';
import { decidedReply } from '#lib/service/http/earnings/commission-reply.ts';
import { decideCommissions, rejection } from '#lib/service/earnings/commissions/decide-commission.ts';
import { RejectedCommissionIds } from '#lib/wire/earnings/commission-ids-request.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: ({ json }) => parseBody(RejectedCommissionIds, json()),
  async run(deps, { program, account }, { ids, reason }, _, textOf) {
    const decided = await decideCommissions(deps, program.id, ids, rejection(deps, reason, `account:${account.id}`));
    return decided.map((one) => decidedReply(one, textOf));
  },
});
