import { pageBody, pageRequest } from '#lib/service/http/messages/paging.ts';
import { partnerEndpoint } from '#lib/service/http/callers/partner-endpoint.ts';
import { ownCustomerReply } from '#lib/service/http/reports/portal-figures-reply.ts';
import { listOwnCustomers } from '#lib/service/reports/exports/list-own-customers.ts';

export const handler = partnerEndpoint({
  needs: 'partner',
  input: (sent) => ({ page: pageRequest(sent, 'own customers', ['short_link']), shortLink: sent.query['short_link'] }),
  run: async (deps, { program, partner }, { page, shortLink }) =>
    pageBody(page, await listOwnCustomers(deps, program, partner, page, shortLink), (customer) =>
      ownCustomerReply(program, customer),
    ),
});
