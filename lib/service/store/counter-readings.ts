import { type EventCounts, eventCounts, lastDayCounts, pendingAfter } from '#lib/domain/counter-readings.ts';
import { DAY_MS } from '#lib/domain/attribution-window.ts';
import { type Counter, type Counts, dayOf, hourOf, type CounterIncrement } from '#lib/domain/counters.ts';
import { counterPrefixes, type Key, keys } from '#lib/service/store/keys.ts';
import type { Table } from '#lib/service/store/table.ts';

/** A counter's item: its numbers beside its key and its version. */
type CounterItem = Key & { readonly version?: number } & Record<string, unknown>;

function numbersOf(item: CounterItem): Counts {
  const { pk: _, sk: __, version: ___, ...counts } = item;
  return counts as Counts;
}

/** The later end of a range that has none. */
const LAST = '~';

/** A program's counters of one kind from one name to another, both included. */
async function countersBetween(
  table: Table,
  programId: number,
  of: Exclude<Counter['of'], 'link'>,
  from: string,
  to: string = LAST,
): Promise<CounterIncrement[]> {
  const [first, last] = [from, to].map((name) => keys.counter({ programId, of, name }));
  const items = await table.range<CounterItem>(first!.pk, first!.sk, last!.sk);
  return items.map((item) => ({
    counter: { programId, of, name: item.sk.slice(counterPrefixes[of].length) },
    counts: numbersOf(item),
  }));
}

/** Real events of the last 24 hours, exact to the minute. */
export async function countsOfLastDay(
  table: Table,
  programId: number,
  now: Date,
): Promise<Pick<EventCounts, 'clicks' | 'leads' | 'sales'>> {
  const from = new Date(now.getTime() - DAY_MS).toISOString();
  const hours = await countersBetween(table, programId, 'hour', hourOf(from), hourOf(now.toISOString()));
  return lastDayCounts(hours, now);
}

/** Commissions that are stored as pending, and those of them whose hold is not over, exact to the minute. */
interface PendingCommissions {
  readonly stored: number;
  readonly held: number;
}

export async function pendingCommissions(table: Table, programId: number, now: Date): Promise<PendingCommissions> {
  const at = now.toISOString();
  const [all, hours, days] = await Promise.all([
    table.get<{ pending?: number }>(keys.counter({ programId, of: 'pending', name: 'all' })),
    countersBetween(table, programId, 'pendingHour', hourOf(at), dayOf(at) + LAST),
    countersBetween(table, programId, 'pendingDay', dayOf(at) + LAST),
  ]);
  return { stored: all?.pending ?? 0, held: pendingAfter(now, hours, days) };
}

/** Rows of a program's days, both ends included (`YYYY-MM-DD`); days on which nothing happened are missing. */
export async function dailyCounts(
  table: Table,
  programId: number,
  from: string,
  to: string,
): Promise<Map<string, EventCounts>> {
  const rows = await countersBetween(table, programId, 'day', from, to);
  return new Map(rows.map(({ counter, counts }) => [counter.name, eventCounts(counts)]));
}

/** What came through a partner of a program, since ever. */
export async function partnerCounts(table: Table, programId: number, partnerId: number): Promise<EventCounts> {
  const item = await table.get<CounterItem>(keys.counter({ programId, of: 'partner', name: String(partnerId) }));
  return eventCounts(item && numbersOf(item));
}

export interface LinkCounts extends Omit<EventCounts, 'amounts'> {
  readonly lastClickedAt?: string;
}

/** What came through a link, since ever. */
export async function linkCounts(table: Table, shortLink: string): Promise<LinkCounts> {
  const [item, lastClick] = await Promise.all([
    table.get<CounterItem>(keys.counter({ programId: 0, of: 'link', name: shortLink })),
    table.get<{ lastClickedAt: string }>(keys.lastClick(shortLink)),
  ]);
  const { clicks, leads, sales } = eventCounts(item && numbersOf(item));
  return { clicks, leads, sales, lastClickedAt: lastClick?.lastClickedAt };
}
