import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { ownersRefundReply } from '#lib/service/triggers/http/replies/refund.ts';
import { ownersCorrectionBody } from '#lib/service/triggers/http/requests/refund.ts';
import { correctRefund } from '#lib/service/use-cases/correct-refund.ts';
import { saleOf } from '#lib/service/use-cases/explain-sale.ts';

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
