import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { payoutPreviewReply } from '#lib/service/http/earnings/payout-reply.ts';
import { partnerOfPayout, throughOfPayout } from '#lib/service/http/earnings/payout-request.ts';
import { changedTerms } from '#lib/service/earnings/last-payouts/changed-terms.ts';
import { previewPayout } from '#lib/service/earnings/payouts/plan-payout.ts';
import { previewToPartners } from '#lib/service/earnings/payouts/read-payouts.ts';
import { partnerOf } from '#lib/service/programs/partners/set-partner-status.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: ({ json }) => json(),
  async run(deps, { program, account, role }, body) {
    const partnerId = partnerOfPayout(body);
    if (partnerId !== undefined) await partnerOf(deps, program.id, partnerId);
    const request = { partnerId, through: throughOfPayout(body) };
    const [preview, terms] = await Promise.all([
      previewPayout(deps, program.id, request, `account:${account.id}`),
      changedTerms(deps, program.id),
    ]);
    return payoutPreviewReply(await previewToPartners(deps, program, preview), terms, role);
  },
});
