import { hourOf, type Counter, type Counts, mergedCounts } from '#lib/service/ground/counters/counter.ts';
import {
  countsWithin,
  dailyCounts,
  type EventCounts,
  eventCounts,
  lastDayCounts,
  pendingAfter,
  tierSalesWithin,
} from '#lib/service/ground/counters/counter-readings.ts';
import { DAY_MS } from '#lib/service/ground/values/day.ts';
import { type Day, monthsWithin, monthOf } from '#lib/service/ground/values/day.ts';
import type { Period } from '#lib/service/ground/values/performance.ts';
import { type CounterItem, countsIn, findCounter } from '#lib/service/ground/counters/counters-items.ts';
import { type Key, keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';

/** An upper bound that sorts after every month and hour. */
const LAST = '~';

/** An item with a counter's days of one month, or minutes of one hour. */
type Part = Key & { readonly moves?: number } & Record<string, unknown>;

/**
 * How often a counter is read at most. A reading consists of two reads: the counter's own item, then the items of its
 * months or hours. It is repeated if counts were moved between them. The last reading is used in any case.
 */
const MOST_READINGS = 5;

/**
 * Reads a counter's own item first, and then some items of its months or hours. In between, counts may be moved from
 * the first item to the others. Each item contains the number of moves so far. If one of the others shows a higher
 * number than the first item, everything is read again.
 */
async function readWith(
  table: Table,
  counter: Counter,
  parts: () => Promise<readonly Part[]>,
): Promise<{ item: CounterItem; counts: Counts }> {
  for (let reading = 1; ; reading++) {
    const item = await findCounter(table, counter);
    const found = item.moves > 0 ? await parts() : [];
    if (reading === MOST_READINGS || found.every(({ moves = 0 }) => moves <= item.moves)) {
      return { item, counts: mergedCounts([item.counts, ...found.map(countsIn)]) };
    }
    table.forget();
  }
}

/** Reads the items between two sort keys, both inclusive. */
const between = (table: Table, from: Key, to: string) => (): Promise<Part[]> => table.range<Part>(from.pk, from.sk, to);

const months = (table: Table, counter: Counter, from: Day, to: Day = LAST) =>
  between(table, keys.counterMonth(counter, monthOf(from)), keys.counterMonth(counter, monthOf(to)).sk);

const hours = (table: Table, counter: Counter, from: string, to: string) =>
  between(table, keys.counterHour(counter, hourOf(from)), keys.counterHour(counter, hourOf(to)).sk);

/** All numbers of a counter: totals, days, and the minutes that are still stored. Also the counter's item. */
export async function wholeCounter(table: Table, counter: Counter) {
  const all = between(table, keys.counterHour(counter, ''), keys.counterMonth(counter, LAST).sk);
  const { item, counts } = await readWith(table, counter, all);
  return { item, counts, lastClickedAt: item.lastClickedAt };
}

/** Real (non-test) events of the last 24 hours, counted exactly to the minute. */
export async function countsOfLastDay(
  table: Table,
  programId: number,
  now: Date,
): Promise<Pick<EventCounts, 'clicks' | 'leads' | 'sales'>> {
  const counter = { of: 'program', programId } as const;
  const from = new Date(now.getTime() - DAY_MS).toISOString();
  const { counts } = await readWith(table, counter, hours(table, counter, from, now.toISOString()));
  return lastDayCounts(counts, now);
}

/** The number of commissions that are stored as pending, and of those still in their hold period, to the minute. */
interface PendingCommissions {
  readonly stored: number;
  readonly held: number;
}

export async function pendingCommissions(table: Table, programId: number, now: Date): Promise<PendingCommissions> {
  const counter = { of: 'program', programId } as const;
  const today = now.toISOString();
  const { counts } = await readWith(table, counter, async () => {
    const found = await Promise.all([months(table, counter, today)(), hours(table, counter, today, endOf(today))()]);
    return found.flat();
  });
  return { stored: counts.pending ?? 0, held: pendingAfter(counts, now) };
}

const endOf = (today: string): string => `${today.slice(0, 10)}T23`;

/** Counts of each day in a period, both inclusive, without days that have no counts. */
export async function countsByDay(table: Table, counter: Counter, from: Day, to: Day): Promise<Map<Day, EventCounts>> {
  const { counts } = await readWith(table, counter, months(table, counter, from, to));
  return dailyCounts(counts, from, to);
}

/** Numbers of events since the beginning, or within a period. */
export interface CounterReading extends EventCounts {
  readonly lastClickedAt?: string;
}

/** A counter's totals, for a period if one is given. */
export async function countsOf(table: Table, counter: Counter, period?: Period): Promise<CounterReading> {
  if (!period) {
    const { counts, lastClickedAt } = await findCounter(table, counter);
    return { ...eventCounts(counts), lastClickedAt };
  }
  const { from, to } = period;
  const { item, counts } = await countsOfMonths(table, counter, period);
  return { ...countsWithin(counts, from, to), lastClickedAt: item.lastClickedAt };
}

/** Reads months by their full keys. Unlike queries, such reads of many counters are combined into one batch. */
const countsOfMonths = (table: Table, counter: Counter, { from, to }: Period) =>
  readWith(table, counter, async () => {
    const found = await Promise.all(
      monthsWithin(from, to).map((month) => table.get<Part>(keys.counterMonth(counter, month))),
    );
    return found.filter((part) => part !== undefined);
  });

/** The number of a partner's sales in a period that count for commission tiers, as far as the counters include them. */
export async function countedTierSales(
  table: Table,
  programId: number,
  partnerId: number,
  period: Period,
): Promise<number> {
  const { counts } = await countsOfMonths(table, { of: 'partner', programId, partnerId }, period);
  return tierSalesWithin(counts, period.from, period.to);
}
