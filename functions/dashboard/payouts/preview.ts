import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { payoutPreviewReply } from '#lib/service/http/earnings/payout-preview-reply.ts';
import { choiceOfPayout, partnerOfPayout } from '#lib/service/http/earnings/payout-request.ts';
import { changedTerms } from '#lib/service/earnings/last-payouts/changed-terms.ts';
import { previewPayout } from '#lib/service/earnings/recording/preview-payout.ts';
import { partnerOf } from '#lib/service/programs/partners/set-partner-status.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: ({ json }) => json(),
  async run(deps, { program, account, role }, body) {
    const partnerId = partnerOfPayout(body);
    if (partnerId !== undefined) await partnerOf(deps, program.id, partnerId);
    const choice = choiceOfPayout(body, deps.config.currencies);
    const [preview, terms] = await Promise.all([
      previewPayout(deps, program, choice, `account:${account.id}`),
      changedTerms(deps, program.id),
    ]);
    return payoutPreviewReply(preview, terms, role);
  },
});
