import { numericIdOf } from '#lib/domain/identifier.ts';
import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { commissionReply } from '#lib/service/triggers/http/replies/commission.ts';
import { approval, commissionOf, decideCommission } from '#lib/service/use-cases/decide-commission.ts';
import { asListed } from '#lib/service/use-cases/list-commissions.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  subject: (deps, { program }, path) => commissionOf(deps, program.id, numericIdOf(path.commission_id)),
  input: () => undefined,
  async run(deps, { program, account, role }, _, commission) {
    const approved = await decideCommission(deps, commission, approval(deps, { actor: `account:${account.id}`, role }));
    return commissionReply(await asListed(deps, program, approved));
  },
});
