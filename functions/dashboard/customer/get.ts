import { dashboardEndpoint } from '#lib/service/triggers/http/account-endpoint.ts';
import { customerHistoryReply } from '#lib/service/triggers/http/replies/customer-history.ts';
import { readCustomer, recordedCustomerOf } from '#lib/service/use-cases/read-customer.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  subject: (deps, { program }, path) => recordedCustomerOf(deps, program.id, path.click_id),
  input: () => undefined,
  run: async (deps, { program }, _, customer) => customerHistoryReply(await readCustomer(deps, program, customer)),
});
