import { isDay } from '#lib/domain/day.ts';
import { numericIdOf } from '#lib/domain/identifier.ts';
import { dateInvalid } from '#lib/domain/refusals.ts';
import type { Json } from '#lib/service/triggers/http/request-context.ts';

/** The partner of a payout: absent = all; 0 for an invalid id. */
export const partnerOfPayout = ({ partner_id: partnerId }: Json): number | undefined =>
  partnerId === undefined ? undefined : (numericIdOf(partnerId) ?? 0);

/** @throws Refusal */
export function throughOfPayout({ through }: Json): string | undefined {
  if (through !== undefined && !(typeof through === 'string' && isDay(through))) throw dateInvalid('through');
  return through;
}
