import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { parseBody } from '#lib/service/http/messages/body.ts';
import { decidedReply } from '#lib/service/http/earnings/commission-reply.ts';
import { release, decideCommissions } from '#lib/service/earnings/commissions/decide-commission.ts';
import { CommissionIds } from '#lib/wire/earnings/commission-ids-request.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: ({ json }) => parseBody(CommissionIds, json()),
  async run(deps, { program, account, role }, sent, _, textOf) {
    const decided = await decideCommissions(
      deps,
      program.id,
      sent,
      release(deps, { actor: `account:${account.id}`, role }),
    );
    return decided.map((one) => decidedReply(one, textOf));
  },
});
