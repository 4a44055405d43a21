import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { ownersRefundReply } from '#lib/service/http/conversions/refund-reply.ts';
import { ownersCorrectionBody } from '#lib/service/http/conversions/refund-request.ts';
import { correctRefund } from '#lib/service/conversions/refunds/correct-refund.ts';
import { saleOf } from '#lib/service/reports/stories/explain-sale.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  owner: true,
  subject: (deps, { program }, path) => saleOf(deps, program.id, path.transaction_id),
  input: ({ json }) => ownersCorrectionBody(json()),
  run: async (deps, { program, account }, correction, { transactionId }) =>
    ownersRefundReply(
      correction,
      await correctRefund(deps, program, { ...correction, transactionId }, `account:${account.id}`),
    ),
});
