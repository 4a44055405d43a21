import type { Counter } from '#lib/service/ground/counters/counter.ts';
import { type Day, dayLater, daysWithin, monthOf } from '#lib/service/ground/values/day.ts';
import { sumOf } from '#lib/service/ground/values/money.ts';
import type { Period } from '#lib/service/ground/values/performance.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';

/** How many counters are read at once, so that 10,000 are never in memory together. */
const AT_ONCE = 1_000;
/**
 * How often a counter is read at most. It is read again if some of its counts moved to the items of their months
 * between our two reads. The last attempt is used as it is.
 */
const MOST_READINGS = 5;

type Fields = Readonly<Record<string, unknown>>;

const numberIn = (fields: Fields | undefined, name: string): number => {
  const value = fields?.[name];
  return typeof value === 'number' ? value : 0;
};

/**
 * Reads one total of many counters, such as `revenueUSD`: of all time, or of each of several adjacent periods. Only
 * this attribute of the items is read. With 10,000 counters, reading the others would take most of the time.
 * @returns the totals by period, in the order of the counters
 */
export async function totalsOf(
  table: Table,
  counters: readonly Counter[],
  total: string,
  periods: readonly Period[],
): Promise<number[][]> {
  const totals: number[][] = [];
  for (let at = 0; at < counters.length; at += AT_ONCE) {
    const some = counters.slice(at, at + AT_ONCE);
    totals.push(
      ...(periods.length > 0 ? await totalsWithin(table, some, total, periods) : await ever(table, some, total)),
    );
  }
  return totals;
}

async function ever(table: Table, counters: readonly Counter[], total: string): Promise<number[][]> {
  const items = await table.getFields(counters.map(keys.counter), [total]);
  return items.map((item) => [numberIn(item, total)]);
}

/**
 * Reads the counters first, then the items of their months, to which a counter moves counts. If an item has a higher
 * number of moves than its counter, counts were moved between the two reads, and the counter is read again.
 */
async function totalsWithin(
  table: Table,
  counters: readonly Counter[],
  total: string,
  periods: readonly Period[],
  reading = 1,
): Promise<number[][]> {
  const fieldOf = (day: Day): string => `${total}@${day}`;
  const daysBy = periods.map(daysOf);
  const days = [...new Set(daysBy.flat())];
  const fieldsBy = daysBy.map((ofPeriod) => ofPeriod.map(fieldOf));
  const items = await table.getFields(counters.map(keys.counter), ['moves', ...days.map(fieldOf)]);
  const moved = counters.filter((_, index) => numberIn(items[index], 'moves') > 0);
  const months = await Promise.all(
    [...Map.groupBy(days, monthOf)].map(([month, ofMonth]) =>
      table.getFields(
        moved.map((counter) => keys.counterMonth(counter, month)),
        ['moves', ...ofMonth.map(fieldOf)],
      ),
    ),
  );
  const partsOf = new Map(moved.map((counter, index) => [counter, months.map((month) => month[index])]));
  const isStale = (counter: Counter, item: Fields | undefined): boolean =>
    (partsOf.get(counter) ?? []).some((part) => numberIn(part, 'moves') > numberIn(item, 'moves'));
  const stale = reading < MOST_READINGS ? counters.filter((counter, index) => isStale(counter, items[index])) : [];
  const again = stale.length > 0 ? await totalsWithin(table, stale, total, periods, reading + 1) : [];
  return counters.map((counter, index) => {
    const at = stale.indexOf(counter);
    if (at >= 0) return again[at]!;
    const parts = [items[index], ...(partsOf.get(counter) ?? [])];
    return fieldsBy.map((fields) => sumOf(fields.flatMap((field) => parts.map((part) => numberIn(part, field)))));
  });
}

const daysOf = ({ from, to }: Period): Day[] =>
  Array.from({ length: daysWithin(from, to) }, (_, day) => dayLater(from, day));
