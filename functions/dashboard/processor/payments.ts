import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { pageBody, pageRequest } from '#lib/service/triggers/http/paging.ts';
import { unsoldPaymentReply } from '#lib/service/triggers/http/replies/processor.ts';
import { listUnsoldPayments } from '#lib/service/use-cases/list-unsold-payments.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: (sent) => pageRequest(sent, 'processor/payments'),
  run: async (deps, { program }, page) =>
    pageBody(page, await listUnsoldPayments(deps, program.id, page), unsoldPaymentReply),
});
