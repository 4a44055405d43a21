import { numericIdOf } from '#lib/domain/identifier.ts';
import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { parseBody } from '#lib/service/triggers/http/body.ts';
import { commissionReply } from '#lib/service/triggers/http/replies/commission.ts';
import { commissionOf, decideCommission, rejection } from '#lib/service/use-cases/decide-commission.ts';
import { asListed } from '#lib/service/use-cases/list-commissions.ts';
import { Reason } from '#lib/wire/requests/reason.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  subject: (deps, { program }, path) => commissionOf(deps, program.id, numericIdOf(path.commission_id)),
  input: ({ json }) => parseBody(Reason, json()).reason,
  async run(deps, { program, account }, reason, commission) {
    const rejected = await decideCommission(deps, commission, rejection(deps, reason, `account:${account.id}`));
    return commissionReply(await asListed(deps, program, rejected));
  },
});
