import type { Commission } from '#lib/service/earnings/commissions/commission.ts';
import { commissionNamedBy, placeNamedBy } from '#lib/service/earnings/commissions/commission-places-items.ts';
import { type EventType, feedKeys, indexKeys, type Key, keys } from '#lib/service/ground/table/keys.ts';
import { pagesOf } from '#lib/service/ground/table/pages.ts';
import type { Table } from '#lib/service/ground/table/table.ts';

/** A sequence's highest number before and after the repair. */
export interface Raised {
  readonly from: number;
  readonly to: number;
}

/**
 * How far each sequence jumps: beyond all ids that may have been issued and lost within the 35 days to which a table
 * can be restored. Gaps are harmless, duplicate ids are not.
 */
const jumps = {
  event: 10_000_000_000,
  program: 10_000,
  workspace: 10_000,
  account: 10_000,
  partner: 100_000,
  agentKey: 10_000,
} as const;

interface Sequence {
  readonly last?: number;
  readonly raisedFor?: string;
  readonly raisedFrom?: number;
}

/** Increases every sequence, once per restore. @param restoredTo identifies the restore */
export async function raiseSequences(table: Table, restoredTo: string): Promise<Record<string, Raised>> {
  const raised: Record<string, Raised> = {};
  for (const [name, jump] of Object.entries(jumps)) {
    const key = keys.sequence(name);
    const { last = 0, raisedFor, raisedFrom = last } = (await table.get<Sequence>(key)) ?? {};
    if (raisedFor === restoredTo) {
      raised[name] = { from: raisedFrom, to: last };
    } else {
      // Race: the command runs twice at once. The loser fails and may be repeated.
      const change = { add: { last: jump }, set: { raisedFor: restoredTo, raisedFrom: last } };
      const after = await table.update<Required<Sequence>>(key, change, { equals: { raisedFor } });
      raised[name] = { from: last, to: after.last };
    }
  }
  table.forget();
  return raised;
}

const real: readonly [EventType, 'EVENTS' | 'PROCESSOR_EVENTS'][] = [
  ['click', 'EVENTS'],
  ['lead', 'EVENTS'],
  ['sale', 'EVENTS'],
  ['sale', 'PROCESSOR_EVENTS'],
  ['refund', 'EVENTS'],
];

/** Returns the keys of a program's records since a time, and of its commission names, from the lists in the index. */
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

/** The owner of a listed key: exactly one of the three ids. */
interface ListedKey {
  readonly clickId?: string;
  readonly transactionId?: string;
  /** Set for a manual commission. */
  readonly commissionId?: number;
  /** Set if the key is that of the name item of the customer's or sale's commission. */
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
