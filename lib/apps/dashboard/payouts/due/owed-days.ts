import { dateText } from '#lib/apps/web/format.ts';
import { dayAfter } from '#lib/apps/web/period.ts';
import type { Owed } from '#lib/wire/earnings/payout.ts';

/** Amounts in cents by currency that become due on a UTC day. */
export interface DueDay {
  readonly on: string;
  readonly amounts: Readonly<Record<string, number>>;
}

/** When pending commissions become due: the days of all currencies together, in order. */
export function dueDays(owed: Owed): readonly DueDay[] {
  const days = new Map<string, Record<string, number>>();
  for (const [currency, { by_date: byDate }] of Object.entries(owed)) {
    for (const { on, amount_cents: cents } of byDate) days.set(on, { ...days.get(on), [currency]: cents });
  }
  return [...days.keys()].toSorted().map((on) => ({ on, amounts: days.get(on)! }));
}

/** The last day by which the service lists amounts; it adds later amounts to this day. */
const LAST_DAY = 90;

/**
 * A due day in words. The last day, to which the service adds later amounts, is followed by "or later".
 * @param today the current UTC day of the service
 */
export const dueDayText = (on: string, today: string): string =>
  on < dayAfter(today, LAST_DAY) ? dateText(on) : `${dateText(on)} or later`;

type OwedAmount = 'pending_cents' | 'approved_cents' | 'held_cents' | 'due_now_cents' | 'balance_cents';

/** The amounts of one kind by currency, without zeros. */
export const owedAmounts = (owed: Owed, amount: OwedAmount): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Object.entries(owed)
      .map(([currency, amounts]) => [currency, amounts[amount]] as const)
      .filter(([, cents]) => cents !== 0),
  );
