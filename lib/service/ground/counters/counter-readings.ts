import {
  type Counts,
  dayOf,
  eachCount,
  isMinute,
  minuteOf,
  type NamedCounts,
  partsOf,
} from '#lib/service/ground/counters/counter.ts';
import type { Currency } from '#lib/service/ground/values/currency.ts';
import { type Day, DAY_MS } from '#lib/service/ground/values/day.ts';
import { sumOf } from '#lib/service/ground/values/money.ts';

/** Sums the counts of certain days or minutes, for some totals. */
function sumsWithin(counts: Counts, isWanted: (at: string) => boolean): Counts {
  const sums: Record<string, number> = {};
  for (const [field, count] of Object.entries(counts)) {
    const { what, at } = partsOf(field);
    if (at !== undefined && isWanted(at)) sums[what] = sumOf([sums[what] ?? 0, count]);
  }
  return sums;
}

/** Events of the last 1,440 clock minutes, the current one included. */
export function lastDayCounts(counts: Counts, now: Date): Pick<EventCounts, 'clicks' | 'leads' | 'sales'> {
  const after = minuteOf(new Date(now.getTime() - DAY_MS).toISOString());
  const until = minuteOf(now.toISOString());
  const { clicks, leads, sales } = eventCounts(sumsWithin(counts, (at) => isMinute(at) && at > after && at <= until));
  return { clicks, leads, sales };
}

/** Number of commissions whose hold period ends later. Those that end today are counted by minute, others by day. */
export function pendingAfter(counts: Counts, now: Date): number {
  const [today, minute] = [dayOf(now.toISOString()), minuteOf(now.toISOString())];
  const { pending = 0 } = sumsWithin(counts, (at) => (isMinute(at) ? at > minute && dayOf(at) === today : at > today));
  return pending;
}

/** Counts of a period, both days inclusive. */
export const countsWithin = (counts: Counts, from: Day, to: Day): EventCounts =>
  eventCounts(sumsWithin(counts, (at) => !isMinute(at) && at >= from && at <= to));

/** Sales that count for tiers in a period, both days inclusive: recorded sales minus sales fully refunded in it. */
export function tierSalesWithin(counts: Counts, from: Day, to: Day): number {
  const { sales = 0, tierSales = 0 } = sumsWithin(counts, (at) => !isMinute(at) && at >= from && at <= to);
  return Math.max(0, sales + tierSales);
}

/** Counts of each day in a period, first and last day included. Days without counts are left out. */
export function dailyCounts(counts: Counts, from: Day, to: Day): Map<Day, EventCounts> {
  const days = new Map<Day, Record<string, number>>();
  for (const [field, count] of Object.entries(counts)) {
    const { what, at } = partsOf(field);
    if (at === undefined || isMinute(at) || at < from || at > to) continue;
    const day = days.get(at) ?? {};
    days.set(at, day);
    day[what] = count;
  }
  return new Map([...days].map(([day, ofDay]) => [day, eventCounts(ofDay)]));
}

/** Cents by currency; currencies without amounts are left out. */
type Amounts = Readonly<Record<Currency, CurrencyAmounts>>;

interface CurrencyAmounts {
  readonly revenueCents: number;
  readonly refundedCents: number;
  readonly commissionCents: number;
  /** The part of the commissions that is not paid because of rejections. */
  readonly rejectedCents: number;
  readonly platformFeeCents: number;
  /** The amount paid to the partner. It has no daily counts. */
  readonly paidOutCents: number;
}

export interface EventCounts extends NamedCounts {
  readonly amounts: Amounts;
}

/** Extracts the numbers of events: from all totals, or from the counts of one day. */
export const eventCounts = (counts: Counts = {}): EventCounts => ({
  ...eachCount((name) => counts[name] ?? 0),
  amounts: Object.fromEntries(
    currenciesIn(counts)
      .map((currency) => [currency, amountsIn(counts, currency)] as const)
      .filter(([, amounts]) => Object.values(amounts).some((cents) => cents !== 0)),
  ),
});

/** The names of totals of money. They end with their currency. */
const AMOUNT = /^(?:revenue|refunded|commission|rejected|platformFee|paidOut)(?<currency>[A-Z]{3})$/;

/** The currencies in which there are amounts, even if the installation no longer accepts them. */
const currenciesIn = (counts: Counts): Currency[] =>
  [...new Set(Object.keys(counts).flatMap((name) => AMOUNT.exec(name)?.groups?.currency ?? []))].toSorted();

const amountsIn = (counts: Counts, currency: string): CurrencyAmounts => ({
  revenueCents: counts[`revenue${currency}`] ?? 0,
  refundedCents: counts[`refunded${currency}`] ?? 0,
  commissionCents: counts[`commission${currency}`] ?? 0,
  rejectedCents: counts[`rejected${currency}`] ?? 0,
  platformFeeCents: counts[`platformFee${currency}`] ?? 0,
  paidOutCents: counts[`paidOut${currency}`] ?? 0,
});
