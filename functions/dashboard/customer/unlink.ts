import { isPlainText } from '#lib/domain/identifier.ts';
import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { parseBody } from '#lib/service/triggers/http/body.ts';
import { unlinkedCustomerReply } from '#lib/service/triggers/http/replies/customer.ts';
import { customerOf, detachCustomer } from '#lib/service/use-cases/detach-customer.ts';
import { Reason } from '#lib/wire/requests/reason.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  owner: true,
  subject: (deps, { program }, { click_id: clickId = '' }) =>
    customerOf(deps, program.id, isPlainText(clickId) ? clickId : undefined),
  input: ({ json }) => parseBody(Reason, json()).reason,
  run: async (deps, { account }, reason, customer) =>
    unlinkedCustomerReply(await detachCustomer(deps, customer, reason, `account:${account.id}`)),
});
