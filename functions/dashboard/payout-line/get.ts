import { numericIdOf } from '#lib/service/ground/values/identifier.ts';
import { dashboardEndpoint } from '#lib/service/http/callers/account-endpoint.ts';
import { payoutLineReply } from '#lib/service/http/earnings/payout-line-reply.ts';
import { lineOf, lineToPartner } from '#lib/service/earnings/lines/read-lines.ts';
import { payoutOf } from '#lib/service/earnings/payouts/read-payouts.ts';

export const handler = dashboardEndpoint({
  needs: 'program',
  subject: async (deps, { program }, { payout_id: payoutId, line_id: lineId = '' }) =>
    lineOf(deps, await payoutOf(deps, program.id, numericIdOf(payoutId)), lineId),
  input: () => undefined,
  run: async (deps, { program }, _, line) => payoutLineReply(await lineToPartner(deps, program, line)),
});
