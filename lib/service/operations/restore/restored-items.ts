import type { Commission } from '#lib/service/earnings/commissions/commission.ts';
import { commissionNamedBy, placeNamedBy } from '#lib/service/earnings/commissions/commission-places-items.ts';
import { type EventType, feedKeys, indexKeys, type Key, keys } from '#lib/service/ground/table/keys.ts';
import { formerTableIsAnother } from '#lib/service/ground/values/refusals.ts';
import { pagesOf } from '#lib/service/ground/table/pages.ts';
import type { Table } from '#lib/service/ground/table/table.ts';

/** A sequence's highest number before and after the repair. */
export interface Raised {
  readonly from: number;
  readonly to: number;
}

/**
 * How many ids an installation can have issued at most since the time of the restore, for the case that the former
 * table is lost. It is a number per second plus a number that may have been reserved in blocks. Gaps are harmless,
 * duplicate ids are not.
 */
const issues = {
  // For `event`: API Gateway accepts 2,000 requests a second, and a sale takes two ids. A thousand containers may have
  // reserved 1,000 ids each.
  event: { perSecond: 4_000, atOnce: 1_000_000, most: Infinity },
  // These sequences number what people create, so they issue far fewer ids per second than `event`. The total is
  // limited, because commands for all programs try the program ids one by one.
  program: { perSecond: 1, atOnce: 0, most: 10_000 },
  workspace: { perSecond: 1, atOnce: 0, most: 10_000 },
  account: { perSecond: 1, atOnce: 0, most: 10_000 },
  partner: { perSecond: 10, atOnce: 0, most: 100_000 },
  agentKey: { perSecond: 1, atOnce: 0, most: 10_000 },
} as const;

type SequenceName = keyof typeof issues;

interface Sequence {
  readonly last?: number;
  readonly raisedFor?: string;
  readonly raisedFrom?: number;
}

/** The restore of a table. */
export interface Restore {
  readonly restoredTo: Date;
  /** The table from before the restore, to which nothing is written any more; undefined if the table is lost. */
  readonly former?: Table;
}

/**
 * Raises every sequence of ids above all ids that were issued. This is done once per restore. The new number comes from
 * the former table or, if that is lost, is the highest that can have been issued until now.
 * @throws Refusal if the former table has no sequences
 */
export async function raiseSequences(
  { table, now }: { readonly table: Table; readonly now: Date },
  { restoredTo, former }: Restore,
): Promise<Record<SequenceName, Raised>> {
  const seconds = Math.ceil((now.getTime() - restoredTo.getTime()) / 1_000);
  const lastOf = async (name: SequenceName, last: number): Promise<number> => {
    if (!former) {
      const { perSecond, atOnce, most } = issues[name];
      return last + Math.min(most, atOnce + seconds * perSecond);
    }
    const { last: issued } = (await former.get<Sequence>(keys.sequence(name))) ?? {};
    if (issued === undefined && last > 0) throw formerTableIsAnother();
    return Math.max(last, issued ?? 0);
  };
  const raised: Partial<Record<SequenceName, Raised>> = {};
  for (const name of Object.keys(issues) as SequenceName[]) {
    raised[name] = await raiseOnce(table, keys.sequence(name), restoredTo.toISOString(), (last) => lastOf(name, last));
  }
  table.forget();
  return raised as Record<SequenceName, Raised>;
}

async function raiseOnce(
  table: Table,
  key: Key,
  raisedForThis: string,
  lastOf: (last: number) => Promise<number>,
): Promise<Raised> {
  const { last = 0, raisedFor, raisedFrom = last } = (await table.get<Sequence>(key)) ?? {};
  if (raisedFor === raisedForThis) return { from: raisedFrom, to: last };
  // Closes the race between two runs of this command: the second one fails and may be repeated.
  const change = { add: { last: (await lastOf(last)) - last }, set: { raisedFor: raisedForThis, raisedFrom: last } };
  const after = await table.update<Required<Sequence>>(key, change, { equals: { raisedFor } });
  return { from: last, to: after.last };
}

const real: readonly [EventType, 'EVENTS' | 'PROCESSOR_EVENTS'][] = [
  ['click', 'EVENTS'],
  ['lead', 'EVENTS'],
  ['sale', 'EVENTS'],
  ['sale', 'PROCESSOR_EVENTS'],
  ['refund', 'EVENTS'],
];

/**
 * Returns the keys of a program's records since a time, from the lists in the index. For a commission, this may be the
 * key of the item by which it is found by id.
 */
export async function* recordedSince(table: Table, programId: number, since: string): AsyncGenerator<Key> {
  const lists = [
    ...real.flatMap(([type, feed]) => feedKeys(programId, type, feed)),
    indexKeys.unsettledCommission(programId, '', 0).gsi1pk,
    indexKeys.commission(programId, '', 0).gsi1pk,
  ];
  for (const list of lists) {
    for await (const page of pagesOf(table, list, since)) yield* page;
    table.forget();
  }
}

/** What a listed key belongs to: exactly one of the three ids is set. */
interface ListedKey {
  readonly clickId?: string;
  readonly transactionId?: string;
  /** Set for a manual commission. */
  readonly commissionId?: number;
  /** Set if `key` is that of the item by which the customer's or sale's commission is found by id. */
  readonly isName?: true;
}

export function whatIs(key: Key): ListedKey {
  const { pk } = key;
  if (pk.startsWith('CUSTOMER#')) return { clickId: pk.slice('CUSTOMER#'.length) };
  if (!pk.startsWith('COMMISSION#')) return { transactionId: pk.slice('SALE#'.length) };
  const place = placeNamedBy(key);
  if (place.kind === 'manual') return { commissionId: place.id };
  return place.kind === 'lead'
    ? { clickId: place.clickId, isName: true }
    : { transactionId: place.transactionId, isName: true };
}

/** Returns all commissions of a program. This takes minutes for a million of them. */
export async function* everyCommission(table: Table, programId: number): AsyncGenerator<Commission> {
  for await (const page of pagesOf(table, indexKeys.commission(programId, '', 0).gsi1pk)) {
    const found = await Promise.all(page.map((name) => table.get<Commission>(commissionNamedBy(name))));
    for (const commission of found) if (commission) yield commission;
    table.forget();
  }
}
