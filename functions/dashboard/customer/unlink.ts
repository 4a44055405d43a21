import { isPlainText } from '#lib/domain/identifier.ts';
import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { unlinkedCustomerReply } from '#lib/service/triggers/http/replies/customer.ts';
import { givenReason } from '#lib/service/triggers/http/requests/reason.ts';
import { customerOf, detachCustomer } from '#lib/service/use-cases/detach-customer.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  owner: true,
  subject: (deps, { program }, { click_id: clickId = '' }) =>
    customerOf(deps, program.id, isPlainText(clickId) ? clickId : undefined),
  input: ({ json }) => givenReason(json()),
  run: async (deps, { account }, reason, customer) =>
    unlinkedCustomerReply(await detachCustomer(deps, customer, reason, `account:${account.id}`)),
});
