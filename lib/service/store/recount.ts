import { type Countable, type CounterIncrement, withoutZeros } from '#lib/domain/counters.ts';
import { safeInteger } from '#lib/domain/money.ts';
import { countableOf } from '#lib/service/store/counted-items.ts';
import { commissionNamedBy, type EventType, feedKeys, indexKeys, type Key, keys } from '#lib/service/store/keys.ts';
import { pagesOf } from '#lib/service/store/pages.ts';
import type { Table } from '#lib/service/store/table.ts';

const itself = ({ pk, sk }: Key): Key => ({ pk, sk });

const eventTypes: readonly EventType[] = ['click', 'lead', 'sale', 'refund'];

/** Every real event and every commission of a program, in pages. */
export async function* countablesOf(table: Table, programId: number): AsyncGenerator<Countable[]> {
  const lists = [
    ...[
      ...eventTypes.flatMap((type) => feedKeys(programId, type, 'EVENTS')),
      ...feedKeys(programId, 'sale', 'PROCESSOR_EVENTS'),
    ].map((list) => ({ list, keyOf: itself })),
    { list: indexKeys.commission(programId, '', 0).gsi1pk, keyOf: commissionNamedBy },
  ];
  for (const { list, keyOf } of lists) {
    for await (const page of pagesOf(table, list)) {
      const items = await Promise.all(page.map((key) => table.get<Record<string, unknown>>(keyOf(key))));
      yield items.flatMap((item) => (item && countableOf(item)) ?? []);
      // Else the read cache would keep all events of the program.
      table.forget();
    }
  }
}

/** Stored or expected numbers of a counter, without zeros. */
export interface CounterRow {
  readonly key: Key;
  readonly holds: Readonly<Record<string, unknown>>;
}

export interface StoredCounter extends CounterRow {
  /** The attributes that detect a concurrent write. */
  readonly guard: Readonly<Record<string, unknown>>;
}

type Item = Key & Readonly<Record<string, unknown>>;

const counterRow = ({ pk, sk, version, ...counts }: Item): StoredCounter => ({
  key: { pk, sk },
  holds: withoutZeros(counts as CounterIncrement['counts']),
  guard: { version },
});

const lastClickRow = (key: Key, lastClickedAt: unknown): StoredCounter => ({
  key,
  holds: lastClickedAt === undefined ? {} : { lastClickedAt },
  guard: { lastClickedAt },
});

/** All counters of a program, missing ones of its links included. @param named short links that its events name */
export async function storedCounters(
  table: Table,
  programId: number,
  named: Iterable<string>,
): Promise<StoredCounter[]> {
  const { pk } = keys.program(programId);
  const shortLinks = new Set(named);
  for await (const page of pagesOf(table, indexKeys.link(programId, '', '').gsi1pk)) {
    for (const key of page) shortLinks.add(key.pk.slice('LINK#'.length));
  }
  table.forget();
  const ofLinks = [...shortLinks].map(async (shortLink) => {
    const [counter, lastClick] = [keys.counter({ programId, of: 'link', name: shortLink }), keys.lastClick(shortLink)];
    const [counts, click] = await Promise.all([table.get<Item>(counter), table.get<Item>(lastClick)]);
    return [counterRow({ ...counts, ...counter }), lastClickRow(lastClick, click?.lastClickedAt)];
  });
  const [counts, pending, links] = await Promise.all([
    table.query<Item>(pk, { prefix: 'COUNT#' }),
    table.query<Item>(pk, { prefix: 'PENDING#' }),
    Promise.all(ofLinks),
  ]);
  return [...counts.map(counterRow), ...pending.map(counterRow), ...links.flat()];
}

/** A counter beyond the largest safe integer reads as that integer. */
const asRead = (counts: CounterIncrement['counts']): CounterRow['holds'] =>
  Object.fromEntries(Object.entries(counts).map(([field, count]) => [field, safeInteger(count)]));

/** The expected counters. */
export const expectedCounters = (
  increments: readonly CounterIncrement[],
  latestClicks: ReadonlyMap<string, string>,
): CounterRow[] => [
  ...increments.map(({ counter, counts }) => ({ key: keys.counter(counter), holds: asRead(counts) })),
  ...[...latestClicks].map(([shortLink, lastClickedAt]) => ({
    key: keys.lastClick(shortLink),
    holds: { lastClickedAt },
  })),
];

/** A counter that was never written. */
export const missingRow = ({ key }: CounterRow): StoredCounter => ({ key, holds: {}, guard: { version: undefined } });

/** Replaces a counter's numbers. @throws ConditionFailed when it was written since it was read */
export const replaceRow = (table: Table, { key, guard }: StoredCounter, holds: CounterRow['holds']): Promise<void> =>
  table.put(
    key,
    { ...holds, ...('version' in guard && { version: Number(guard.version ?? 0) + 1 }) },
    { equals: guard },
  );
