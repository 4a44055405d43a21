import { isDay } from '#lib/domain/day.ts';
import { numericIdOf } from '#lib/domain/identifier.ts';
import { dateInvalid, rejectionReasonMissing } from '#lib/domain/refusals.ts';
import type { Json } from '#lib/http/call.ts';

const LONGEST_REASON = 500;

/** The reason of a rejection. @throws Refusal */
export function rejectionReason({ reason }: Json): string {
  const text = typeof reason === 'string' ? reason.trim().toWellFormed() : '';
  if (text === '' || text.length > LONGEST_REASON) throw rejectionReasonMissing();
  return text;
}

/** The partner of a payout: absent = all; 0 for what can be nobody's id. */
export const partnerOfPayout = ({ partner_id: partnerId }: Json): number | undefined =>
  partnerId === undefined ? undefined : (numericIdOf(partnerId) ?? 0);

/** @throws Refusal */
export function throughOfPayout({ through }: Json): string | undefined {
  if (through !== undefined && !(typeof through === 'string' && isDay(through))) throw dateInvalid('through');
  return through;
}
