import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { idQuery } from '#lib/service/triggers/http/query.ts';
import { owedReply } from '#lib/service/triggers/http/replies/payout.ts';
import { partnerOf } from '#lib/service/use-cases/set-partner-status.ts';
import { tellOwed } from '#lib/service/use-cases/tell-owed.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: (sent) => idQuery(sent, 'partner_id'),
  async run(deps, { program, account }, partnerId) {
    // As in a payout: nothing owed to a partner who does not exist would look like an answer.
    if (partnerId !== undefined) await partnerOf(deps, program.id, partnerId);
    return owedReply(await tellOwed(deps, program.id, `account:${account.id}`, partnerId));
  },
});
