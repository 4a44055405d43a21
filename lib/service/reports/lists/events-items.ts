import type { Customer } from '#lib/service/traffic/customers/customer.ts';
import type { Day } from '#lib/service/ground/values/day.ts';
import type { Lead } from '#lib/service/traffic/customers/lead.ts';
import type { Page, PageRequest } from '#lib/service/ground/values/paging.ts';
import type { Sale } from '#lib/service/conversions/sales/sale.ts';
import type { LaterClick } from '#lib/service/traffic/clicks/clicks-items.ts';
import type { Entry } from '#lib/service/ground/table/listed.ts';
import { endOfDay, type EventType, type Feed, feedKeys } from '#lib/service/ground/table/keys.ts';
import type { StoredRefund } from '#lib/service/conversions/refunds/refunds-items.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { TestEvent } from '#lib/service/reports/trial/test-events-items.ts';

/** An event as stored. The first click of a customer is the customer's item. */
export type StoredEvent =
  | { readonly type: 'click'; readonly item: Customer | LaterClick | TestEvent }
  | { readonly type: 'lead'; readonly item: Lead | TestEvent }
  | { readonly type: 'sale'; readonly item: Sale }
  | { readonly type: 'refund'; readonly item: StoredRefund };

type PlacedEvent = StoredEvent & { readonly position: string };

/** Selects the events to list. */
export interface EventFilter {
  readonly types: readonly EventType[];
  readonly feeds: readonly Feed[];
  /** First day on which the listed events were created, inclusive. */
  readonly from?: Day;
  readonly to?: Day;
}

/**
 * Maximum number of times that the lists are read for one page. Expired events are left out, so a page may be short;
 * the next page then continues.
 */
const MOST_STEPS = 5;

/**
 * A list of clicks is spread over several index keys. This many entries are read at once under each key after the
 * first: up to 4 KB, the minimum that a query is charged. Five such steps fill a page of a hundred even if all its
 * events are under one key.
 */
const MOST_OF_A_SHARE = 24;

/**
 * Events of a program, newest first, merged from several lists. A position is a time and an id. Ids are unique over all
 * lists, so one position is enough to continue all of them, even among events of the same millisecond.
 */
export async function eventsOf(
  table: Table,
  programId: number,
  { types, feeds, from, to }: EventFilter,
  { most, after }: PageRequest,
): Promise<Page<PlacedEvent>> {
  let start = after ?? (to && endOfDay(to));
  const found: PlacedEvent[] = [];
  for (let step = 1; ; step += 1) {
    const { items, next } = await nextEvents(
      table,
      programId,
      { types, feeds, from },
      { most: most - found.length, after: start },
    );
    found.push(...items);
    if (next === undefined || found.length === most || step === MOST_STEPS) return { items: found, next };
    start = next;
  }
}

/** How many of the newest events are searched. */
const NEWEST = 1_000;

/** Keys of the newest real leads or sales of a program, newest first. */
export async function newestListed(table: Table, programId: number, type: 'lead' | 'sale'): Promise<readonly Entry[]> {
  const lists = (['EVENTS', 'PROCESSOR_EVENTS'] as const).flatMap((feed) => feedKeys(programId, type, feed));
  const parts = await Promise.all(lists.map((list) => table.list(list, { most: NEWEST, newestFirst: true })));
  return parts
    .flatMap(({ entries }) => entries)
    .toSorted((a, b) => (a.position < b.position ? 1 : -1))
    .slice(0, NEWEST);
}

/** Reads the next events. Expired events stay in the index until they are deleted, so a page may be short. */
async function nextEvents(
  table: Table,
  programId: number,
  { types, feeds, from = '' }: EventFilter,
  { most, after: start }: PageRequest,
): Promise<Page<PlacedEvent>> {
  // One event more than requested shows whether there is a next page.
  const wanted = most + 1;
  const lists = types.flatMap((type) =>
    feeds.flatMap((feed) =>
      feedKeys(programId, type, feed).map((list, share) => ({
        type,
        list,
        // The first index key contains all events from the time before the list was spread over several keys.
        most: share === 0 ? wanted : Math.min(wanted, MOST_OF_A_SHARE),
      })),
    ),
  );
  const listed = await Promise.all(
    lists.map(async ({ type, list, most: ofList }) => {
      const { entries, next = '' } = await table.list(list, { most: ofList, after: start, newestFirst: true });
      return { found: entries.map(({ pk, sk, position }) => ({ key: { pk, sk }, position, type })), next };
    }),
  );
  // Under some keys, older events may not have been read yet. Only the events that are newer than the last one read
  // under every key are certain to be complete.
  const known = listed.map(({ next }) => next).reduce((a, b) => (a > b ? a : b), '');
  const inOrder = listed
    .flatMap(({ found }) => found)
    .filter(({ position }) => position >= from && position >= known)
    .toSorted((a, b) => (a.position < b.position ? 1 : -1));
  const page = inOrder.slice(0, most);
  const items = await Promise.all(page.map(({ key }) => table.get<StoredEvent['item']>(key)));
  return {
    items: page.flatMap(({ type, position }, index) =>
      items[index] ? [{ type, item: items[index], position } as PlacedEvent] : [],
    ),
    next: inOrder.length > most ? page.at(-1)?.position : known && known >= from ? known : undefined,
  };
}
