import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { pageBody, pageRequest } from '#lib/service/http/messages/paging.ts';
import { unattributedPaymentReply } from '#lib/service/http/conversions/processor-reply.ts';
import { listUnattributedPayments } from '#lib/service/conversions/waiting/list-unattributed-payments.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  input: (sent) => pageRequest(sent, 'processor/payments'),
  run: async (deps, { program }, page) =>
    pageBody(page, await listUnattributedPayments(deps, program.id, page), unattributedPaymentReply),
});
