import { dashboardEndpoint } from '#lib/http/account-endpoint.ts';
import { pageBody, pageRequest } from '#lib/http/paging.ts';
import { unsoldPaymentReply } from '#lib/http/replies/processor.ts';
import { listUnsoldPayments } from '#lib/use-cases/list-unsold-payments.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: (sent) => pageRequest(sent, 'processor/payments'),
  run: async (deps, { program }, page) =>
    pageBody(page, await listUnsoldPayments(deps, program.id, page), unsoldPaymentReply),
});
