import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { pageBody, pageRequest } from '#lib/service/http/messages/paging.ts';
import { unsoldPaymentReply } from '#lib/service/http/conversions/processor-reply.ts';
import { listUnsoldPayments } from '#lib/service/conversions/waiting/list-unsold-payments.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: (sent) => pageRequest(sent, 'processor/payments'),
  run: async (deps, { program }, page) =>
    pageBody(page, await listUnsoldPayments(deps, program.id, page), unsoldPaymentReply),
});
