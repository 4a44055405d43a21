import { numericIdOf } from '#lib/domain/identifier.ts';
import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { commissionReply } from '#lib/service/triggers/http/replies/commission.ts';
import { givenReason } from '#lib/service/triggers/http/requests/reason.ts';
import { commissionOf, rejectCommission } from '#lib/service/use-cases/decide-commission.ts';
import { asListed } from '#lib/service/use-cases/list-commissions.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  subject: (deps, { program }, path) => commissionOf(deps, program.id, numericIdOf(path.commission_id)),
  input: ({ json }) => givenReason(json()),
  async run(deps, { program, account }, reason, commission) {
    const rejected = await rejectCommission(deps, commission, reason, `account:${account.id}`);
    return commissionReply(await asListed(deps, program, rejected));
  },
});
