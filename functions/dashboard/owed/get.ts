import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { idQuery } from '#lib/service/http/messages/query.ts';
import { owedReply } from '#lib/service/http/earnings/payout-reply.ts';
import { partnerOf } from '#lib/service/programs/partners/set-partner-status.ts';
import { owedByPartner } from '#lib/service/reports/lists/owed-by-partner.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: (sent) => idQuery(sent, 'partner_id'),
  async run(deps, { program, account }, partnerId) {
    // The partner is checked as for a payout, because an empty result for a nonexistent partner would be misleading.
    if (partnerId !== undefined) await partnerOf(deps, program.id, partnerId);
    return owedReply(await owedByPartner(deps, program.id, `account:${account.id}`, partnerId));
  },
});
