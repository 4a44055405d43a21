import { isDay } from '#lib/service/ground/values/day.ts';
import { numericIdOf } from '#lib/service/ground/values/identifier.ts';
import type { PayoutTotals } from '#lib/service/earnings/payouts/payout.ts';
import { badRequest, dateInvalid, EXPECTED_TOTALS_INVALID } from '#lib/service/ground/values/refusals.ts';
import type { Json } from '#lib/service/http/messages/request-context.ts';

/** The partner of a payout; undefined = all partners, 0 = an invalid id. */
export const partnerOfPayout = ({ partner_id: partnerId }: Json): number | undefined =>
  partnerId === undefined ? undefined : (numericIdOf(partnerId) ?? 0);

/** The last payment day that a payout includes. @throws Refusal */
export function throughOfPayout({ through }: Json): string | undefined {
  if (through !== undefined && !(typeof through === 'string' && isDay(through))) throw dateInvalid('through');
  return through;
}

/** The totals that the caller expects; undefined if any are accepted. @throws Refusal */
export function expectedTotals({ expected_totals: sent }: Json): PayoutTotals | undefined {
  if (sent === undefined || sent === null) return undefined;
  const isByCurrency = typeof sent === 'object' && !Array.isArray(sent);
  if (!isByCurrency || !Object.values(sent).every(Number.isSafeInteger)) throw badRequest(EXPECTED_TOTALS_INVALID);
  return sent as PayoutTotals;
}
