import { exportFiles } from '#lib/service/ground/effects/exports.ts';
import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { exportedReply } from '#lib/service/http/messages/exported-reply.ts';
import { customerJson } from '#lib/service/http/traffic/customer-export-reply.ts';
import { customerWithData } from '#lib/service/traffic/customers/customer-with-data.ts';
import { exportCustomer } from '#lib/service/reports/exports/export-customer.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  owner: true,
  // A terminal's token must not be enough to read everything about a person.
  terminal: false,
  subject: (deps, { program }, { click_id: clickId }) => customerWithData(deps, program.id, clickId),
  input: ({ query }) => query,
  async run(deps, { program }, query, customer) {
    const { clickId } = customer;
    const request = { files: exportFiles(deps), spelling: customerJson(customer, deps.now), cursor: query['cursor'] };
    const exported = await exportCustomer(deps, program, customer, request);
    const path = `/api/dashboard/v1/programs/${program.id}/customers/${clickId}/export`;
    return exportedReply(
      deps,
      exported,
      { name: `customer-${clickId}.json`, type: 'application/json' },
      { path, query },
    );
  },
});
