import { numericIdOf } from '#lib/service/ground/values/identifier.ts';
import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { pageBody, pageRequest } from '#lib/service/http/messages/paging.ts';
import { payoutLineReply } from '#lib/service/http/earnings/payout-line-reply.ts';
import { lineFilter, lineFilters } from '#lib/service/http/earnings/payout-line-request.ts';
import { listLines } from '#lib/service/earnings/lines/read-lines.ts';
import { payoutOf } from '#lib/service/earnings/payouts/read-payouts.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  subject: (deps, { program }, path) => payoutOf(deps, program.id, numericIdOf(path.payout_id)),
  input: (sent, _, { currencies }) => ({
    page: pageRequest(sent, `lines of payout ${sent.path['payout_id']}`, lineFilters),
    filter: lineFilter(sent, currencies),
  }),
  run: async (deps, { program }, { page, filter }, payout) =>
    pageBody(page, await listLines(deps, program, payout, filter, page), payoutLineReply),
});
