import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { parseBody } from '#lib/service/triggers/http/body.ts';
import { decidedReply } from '#lib/service/triggers/http/replies/commission.ts';
import { release, decideCommissions } from '#lib/service/use-cases/decide-commission.ts';
import { CommissionIds } from '#lib/wire/requests/commission-ids.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: ({ json }) => parseBody(CommissionIds, json()).ids,
  async run(deps, { program, account, role }, ids, _, textOf) {
    const decided = await decideCommissions(
      deps,
      program.id,
      ids,
      release(deps, { actor: `account:${account.id}`, role }),
    );
    return decided.map((one) => decidedReply(one, textOf));
  },
});
