import { isPlainText } from '#lib/service/ground/values/identifier.ts';
import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { parseBody } from '#lib/service/http/messages/body.ts';
import { unlinkedCustomerReply } from '#lib/service/http/traffic/customer-reply.ts';
import { customerOf, detachCustomer } from '#lib/service/traffic/customers/detach-customer.ts';
import { Reason } from '#lib/wire/words/reason-request.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  owner: true,
  subject: (deps, { program }, { click_id: clickId = '' }) =>
    customerOf(deps, program.id, isPlainText(clickId) ? clickId : undefined),
  input: ({ json }) => parseBody(Reason, json()).reason,
  run: async (deps, { account }, reason, customer) =>
    unlinkedCustomerReply(await detachCustomer(deps, customer, reason, `account:${account.id}`)),
});
