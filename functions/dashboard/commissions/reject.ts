import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { parseBody } from '#lib/service/triggers/http/body.ts';
import { decidedReply } from '#lib/service/triggers/http/replies/commission.ts';
import { decideCommissions, rejection } from '#lib/service/use-cases/decide-commission.ts';
import { RejectedCommissionIds } from '#lib/wire/requests/commission-ids.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: ({ json }) => parseBody(RejectedCommissionIds, json()),
  async run(deps, { program, account }, { ids, reason }, _, textOf) {
    const decided = await decideCommissions(deps, program.id, ids, rejection(deps, reason, `account:${account.id}`));
    return decided.map((one) => decidedReply(one, textOf));
  },
});
