import type { UnsettledCommission } from '#lib/service/earnings/commissions/unsettled-commission.ts';
import { unsettledListedAt } from '#lib/service/earnings/commissions/commission-listings-items.ts';
import { indexKeys, type Key, partnerIndexKeys } from '#lib/service/ground/table/keys.ts';
import type { IndexName } from '#lib/service/ground/config/table-definition.ts';
import type { Entry, Listed } from '#lib/service/ground/table/listed.ts';
import type { Table } from '#lib/service/ground/table/table.ts';

/** An unsettled commission with the key of its item. */
export interface ListedCommission extends UnsettledCommission {
  readonly key: Key;
}

/**
 * The size of the first part: as many keys as two queries can return, at 1 MB each. The rest of a longer list is read
 * in parts in parallel.
 */
const FIRST = 8_000;
const PARTS = 4;
/** A page size larger than any list, so that only DynamoDB's own size limit ends a query. */
const EVERY = 100_000_000;

/**
 * All unsettled commissions of a program, in any order. Only the index is read, which may lack very recent writes.
 * 10,000 commissions take about 3 queries.
 */
export const unsettledCommissionsOf = (table: Table, programId: number): Promise<ListedCommission[]> =>
  everyUnsettled(table, indexKeys.unsettledCommission(programId, '', 0).gsi1pk, 'gsi1');

/**
 * Yields all unsettled commissions of a program in parts, those recorded first at the beginning. A commission that
 * changes while the parts are read may be yielded twice.
 */
export async function* unsettledInParts(
  table: Table,
  programId: number,
  size = FIRST,
): AsyncGenerator<readonly ListedCommission[]> {
  const list = indexKeys.unsettledCommission(programId, '', 0).gsi1pk;
  let after: string | undefined;
  do {
    const { entries, next } = await table.list(list, { most: size, after });
    yield entries.map(asListed);
    after = next;
  } while (after !== undefined);
}

export const unsettledCommissionsOfPartner = (
  table: Table,
  programId: number,
  partnerId: number,
): Promise<ListedCommission[]> =>
  everyUnsettled(table, partnerIndexKeys.openCommission(programId, partnerId, '').gsi2pk, 'gsi2');

export async function hasUnsettledCommission(table: Table, programId: number, partnerId: number): Promise<boolean> {
  const list = partnerIndexKeys.openCommission(programId, partnerId, '').gsi2pk;
  const { entries } = await table.list(list, { index: 'gsi2', most: 1 });
  return entries.length > 0;
}

async function everyUnsettled(table: Table, list: string, index: IndexName): Promise<ListedCommission[]> {
  const first = await table.list(list, { index, most: FIRST });
  const rest = first.next === undefined ? [] : await listedAfter(table, list, index, first.next);
  return eachOnce([first, ...rest].flatMap(({ entries }) => entries.map(asListed)));
}

const asListed = ({ pk, sk, position }: Entry): ListedCommission => ({
  ...unsettledListedAt(position),
  key: { pk, sk },
});

/** Removes repetitions by id, because a commission that changes between two queries may be in both results. */
export const eachOnce = (found: readonly ListedCommission[]): ListedCommission[] => [
  ...new Map(found.map((part) => [part.id, part])).values(),
];

/**
 * Reads the rest of a list in parallel, in parts that cover equal periods. Each query runs backwards from the end of
 * its period, because only a descending query can have two bounds. Both bounds are inclusive. But a bound is a time
 * without an id, and each position contains an id, so no commission is read twice.
 */
async function listedAfter(table: Table, list: string, index: IndexName, position: string): Promise<Listed[]> {
  const { entries } = await table.list(list, { index, most: 1, newestFirst: true });
  const [sinceMs, untilMs] = [timeAt(position), timeAt(entries[0]?.position ?? position)];
  const ends = Array.from({ length: PARTS - 1 }, (_, n) =>
    new Date(sinceMs + ((untilMs - sinceMs) * (n + 1)) / PARTS).toISOString(),
  );
  // `~` sorts after every time, so the part that ends there includes the newest commissions.
  return Promise.all(
    [...ends, '~'].map((after, n) =>
      table.list(list, { index, most: EVERY, newestFirst: true, after, downTo: ends[n - 1] ?? position }),
    ),
  );
}

const timeAt = (position: string): number => Date.parse(position.split('#', 1)[0]!);
