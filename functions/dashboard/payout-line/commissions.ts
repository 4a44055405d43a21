import { numericIdOf } from '#lib/service/ground/values/identifier.ts';
import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { pageBody, pageRequest } from '#lib/service/http/messages/paging.ts';
import { commissionInLineReply } from '#lib/service/http/earnings/payout-line-reply.ts';
import { commissionsInLine, lineOf } from '#lib/service/earnings/lines/read-lines.ts';
import { payoutOf } from '#lib/service/earnings/payouts/read-payouts.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  subject: async (deps, { program }, { payout_id: payoutId, line_id: lineId = '' }) =>
    lineOf(deps, await payoutOf(deps, program.id, numericIdOf(payoutId)), lineId),
  input: (sent) => pageRequest(sent, `commissions of line ${sent.path['payout_id']} ${sent.path['line_id']}`),
  run: async (deps, { program }, page, line) =>
    pageBody(page, await commissionsInLine(deps, program, line, page), commissionInLineReply),
});
