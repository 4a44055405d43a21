import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { payoutPreviewReply } from '#lib/service/triggers/http/replies/payout.ts';
import { partnerOfPayout, throughOfPayout } from '#lib/service/triggers/http/requests/payout.ts';
import { changedTerms } from '#lib/service/use-cases/changed-terms.ts';
import { previewPayout } from '#lib/service/use-cases/pay-out.ts';
import { previewToPartners } from '#lib/service/use-cases/read-payouts.ts';
import { partnerOf } from '#lib/service/use-cases/set-partner-status.ts';

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
