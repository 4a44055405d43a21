import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { customerHistoryReply } from '#lib/service/http/traffic/customer-history-reply.ts';
import { readCustomer, recordedCustomerOf } from '#lib/service/reports/stories/read-customer.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  subject: (deps, { program }, path) => recordedCustomerOf(deps, program.id, path.click_id),
  input: () => undefined,
  run: async (deps, { program }, _, customer) => customerHistoryReply(await readCustomer(deps, program, customer)),
});
