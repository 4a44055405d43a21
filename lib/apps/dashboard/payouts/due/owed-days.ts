import { dateText } from '#lib/apps/web/format.ts';
import { dayAfter } from '#lib/apps/web/period.ts';
import type { Owed } from '#lib/wire/earnings/payout.ts';

/** A UTC day, and the amounts in cents by currency that become due on it. */
export interface DueDay {
  readonly on: string;
  readonly amounts: Readonly<Record<string, number>>;
}

/** Lists the days on which pending commissions become due, in order. A day contains the amounts of all currencies. */
export function dueDays(owed: Owed): readonly DueDay[] {
  const days = new Map<string, Record<string, number>>();
  for (const [currency, { by_date: byDate }] of Object.entries(owed)) {
    for (const { on, amount_cents: cents } of byDate) days.set(on, { ...days.get(on), [currency]: cents });
  }
  return [...days.keys()].toSorted().map((on) => ({ on, amounts: days.get(on)! }));
}

/** The number of days for which the service lists amounts. Amounts that become due later are added to the last day. */
const LAST_DAY = 90;

/**
 * Formats a day. The last day also contains what becomes due later, so it is followed by "or later".
 * @param today the present UTC day of the service
 */
export const dueDayText = (on: string, today: string): string =>
  on < dayAfter(today, LAST_DAY) ? dateText(on) : `${dateText(on)} or later`;

type OwedAmount = 'pending_cents' | 'approved_cents' | 'held_cents' | 'due_now_cents' | 'balance_cents';

/** Returns the amounts of one kind by currency. Zeros are left out. */
export const owedAmounts = (owed: Owed, amount: OwedAmount): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Object.entries(owed)
      .map(([currency, amounts]) => [currency, amounts[amount]] as const)
      .filter(([, cents]) => cents !== 0),
  );
