import { pageBody, pageRequest } from '#lib/service/triggers/http/paging.ts';
import { partnerEndpoint } from '#lib/service/triggers/http/partner-endpoint.ts';
import { ownCustomerReply } from '#lib/service/triggers/http/replies/portal-figures.ts';
import { listOwnCustomers } from '#lib/service/use-cases/list-own-customers.ts';

export const handler = partnerEndpoint({
  needs: 'partner',
  input: (sent) => pageRequest(sent, 'own customers'),
  run: async (deps, { program, partner }, page) =>
    pageBody(page, await listOwnCustomers(deps, program, partner, page), (customer) =>
      ownCustomerReply(program, customer),
    ),
});
