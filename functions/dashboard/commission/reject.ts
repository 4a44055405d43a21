import { numericIdOf } from '#lib/domain/identifier.ts';
import { dashboardEndpoint } from '#lib/http/account-endpoint.ts';
import { commissionReply } from '#lib/http/replies/commission.ts';
import { givenReason } from '#lib/http/requests/fields.ts';
import { commissionOf, rejectCommission } from '#lib/use-cases/decide-commission.ts';
import { asListed } from '#lib/use-cases/list-commissions.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  subject: (deps, { program }, path) => commissionOf(deps, program.id, numericIdOf(path.commission_id)),
  input: ({ json }) => givenReason(json()),
  async run(deps, { program, account }, reason, commission) {
    const rejected = await rejectCommission(deps, commission, reason, `account:${account.id}`);
    return commissionReply(await asListed(deps, program, rejected));
  },
});
