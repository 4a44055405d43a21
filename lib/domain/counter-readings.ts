import { DAY_MS } from '#lib/domain/attribution-window.ts';
import { type Counts, minuteOf, type CounterIncrement } from '#lib/domain/counters.ts';
import { currencies, type Currency } from '#lib/domain/money.ts';

const minuteCounts = { c: 'clicks', l: 'leads', s: 'sales', p: 'pending' } as const;

/** Counts of hours, by minutes that are later than `after` and not later than `until`. */
function sumOfMinutes(hours: Iterable<CounterIncrement>, after: string, until: string) {
  const sum = { clicks: 0, leads: 0, sales: 0, pending: 0 };
  for (const { counter, counts } of hours) {
    for (const [field, count] of Object.entries(counts)) {
      const minute = `${counter.name}:${field.slice(1)}`;
      const what = minuteCounts[field[0] as keyof typeof minuteCounts];
      if (minute > after && minute <= until) sum[what] += count;
    }
  }
  return sum;
}

const END_OF_TIME = '~';

/** Events of the last 24 hours: of the last 1,440 clock minutes, the present one included. */
export function lastDayCounts(
  hours: Iterable<CounterIncrement>,
  now: Date,
): Pick<EventCounts, 'clicks' | 'leads' | 'sales'> {
  const from = new Date(now.getTime() - DAY_MS).toISOString();
  const { pending: _, ...events } = sumOfMinutes(hours, minuteOf(from), minuteOf(now.toISOString()));
  return events;
}

/** Commissions whose hold ends after this minute. @param hours of today @param days after today */
export function pendingAfter(now: Date, hours: Iterable<CounterIncrement>, days: Iterable<CounterIncrement>): number {
  let { pending } = sumOfMinutes(hours, minuteOf(now.toISOString()), END_OF_TIME);
  for (const { counts } of days) pending += counts.pending ?? 0;
  return pending;
}

/** Cents by currency; a currency in which there is nothing is left out. */
type Amounts = Readonly<Partial<Record<Currency, CurrencyAmounts>>>;

interface CurrencyAmounts {
  readonly revenueCents: number;
  readonly refundedCents: number;
  readonly commissionCents: number;
  readonly platformFeeCents: number;
  /** To the partner; of a day, always 0. */
  readonly paidOutCents: number;
}

export interface EventCounts {
  readonly clicks: number;
  readonly leads: number;
  readonly sales: number;
  readonly amounts: Amounts;
}

/** Reads the counts of a day, a partner or a link. */
export const eventCounts = (counts: Counts = {}): EventCounts => ({
  clicks: counts.clicks ?? 0,
  leads: counts.leads ?? 0,
  sales: counts.sales ?? 0,
  amounts: Object.fromEntries(
    currencies
      .map((currency) => [currency, amountsIn(counts, currency)] as const)
      .filter(([, amounts]) => Object.values(amounts).some((cents) => cents !== 0)),
  ),
});

const amountsIn = (counts: Counts, currency: string): CurrencyAmounts => ({
  revenueCents: counts[`revenue${currency}`] ?? 0,
  refundedCents: counts[`refunded${currency}`] ?? 0,
  commissionCents: counts[`commission${currency}`] ?? 0,
  platformFeeCents: counts[`platformFee${currency}`] ?? 0,
  paidOutCents: counts[`paidOut${currency}`] ?? 0,
});
