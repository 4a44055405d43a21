import { numericIdOf } from '#lib/service/ground/values/identifier.ts';
import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { commissionReply } from '#lib/service/http/earnings/commission-reply.ts';
import { release, commissionOf, decideCommission } from '#lib/service/earnings/commissions/decide-commission.ts';
import { asListed } from '#lib/service/reports/lists/list-commissions.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  subject: (deps, { program }, path) => commissionOf(deps, program.id, numericIdOf(path.commission_id)),
  input: () => undefined,
  async run(deps, { program, account, role }, _, commission) {
    const released = await decideCommission(deps, commission, release(deps, { actor: `account:${account.id}`, role }));
    return commissionReply(await asListed(deps, program, released));
  },
});
