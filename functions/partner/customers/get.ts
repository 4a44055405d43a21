import { pageBody, pageRequest } from '#lib/service/http/messages/paging.ts';
import { partnerEndpoint } from '#lib/service/http/callers/partner-endpoint.ts';
import { ownCustomerReply } from '#lib/service/http/reports/portal-figures-reply.ts';
import { listOwnCustomers } from '#lib/service/reports/exports/list-own-customers.ts';

export const handler = partnerEndpoint({
  needs: 'partner',
  input: (sent) => pageRequest(sent, 'own customers'),
  run: async (deps, { program, partner }, page) =>
    pageBody(page, await listOwnCustomers(deps, program, partner, page), (customer) =>
      ownCustomerReply(program, customer),
    ),
});
