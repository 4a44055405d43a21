import type { Commission, CommissionStatus } from '#lib/domain/commission.ts';
import type { Currency } from '#lib/domain/currency.ts';
import { type UnsettledCommission, unsettledPart } from '#lib/domain/unsettled-commission.ts';
import { type IndexKey, indexKeys, type Key } from '#lib/service/store/keys.ts';
import { pagesOf } from '#lib/service/store/pages.ts';
import type { Table } from '#lib/service/store/table.ts';
import { ConditionFailed } from '#lib/service/store/writes.ts';

const notListed = { gsi1pk: undefined, gsi1sk: undefined };

/**
 * Where a commission appears among the unsettled ones of its program. The place repeats all that a payout has to know, so
 * that what is owed is summed up without reading the items. undefined takes the commission out of the index.
 */
export function unsettledPlaceOf(commission: Commission): IndexKey | typeof notListed {
  const part = unsettledPart(commission);
  if (!part) return notListed;
  const { gsi1pk, gsi1sk } = indexKeys.unsettledCommission(commission.programId, commission.createdAt, part.id);
  const { partnerId, currency, status, openCents, holdUntil, saleDay } = part;
  return { gsi1pk, gsi1sk: [gsi1sk, partnerId, currency, status, openCents, holdUntil, saleDay].join('#') };
}

/** @returns undefined of a place that was written when places held time and id only */
function listedAt({ gsi1sk }: IndexKey): UnsettledCommission | undefined {
  const [, id, partnerId, currency, status, openCents, holdUntil, saleDay] = gsi1sk.split('#');
  return saleDay === undefined
    ? undefined
    : {
        id: Number(id),
        partnerId: Number(partnerId),
        currency: currency as Currency,
        status: status as CommissionStatus,
        openCents: Number(openCents),
        holdUntil: holdUntil!,
        saleDay,
      };
}

/**
 * The time and id with which a place begins. A page ends there, because the rest may change before the next page is asked
 * for; in a list that begins with the newest one that continues behind it.
 */
export const pageEndAt = (gsi1sk: string): string => gsi1sk.split('#', 2).join('#');

const listOf = (programId: number): string => indexKeys.unsettledCommission(programId, '', 0).gsi1pk;

const itemOf = (table: Table, { pk, sk }: Key): Promise<(Commission & IndexKey) | undefined> => table.get({ pk, sk });

/** Keys asked for at a time; a query ends after 1 MB, some 4,000 of them. */
const STRIDE = 20_000;

/**
 * Every unsettled commission of a program, by the index alone, which may miss what was written a moment ago. 10,000 of
 * them are some 3 queries. One that was listed by an earlier version is read.
 */
export async function unsettledCommissionsOf(table: Table, programId: number): Promise<UnsettledCommission[]> {
  const found = new Map<number, UnsettledCommission>();
  let after: string | undefined;
  do {
    const { entries, next } = await table.list(listOf(programId), { most: STRIDE, after });
    const parts = await Promise.all(entries.map((entry) => partAt(table, entry)));
    // By id, because one that changes between two queries may be in both.
    for (const part of parts) if (part) found.set(part.id, part);
    after = next;
  } while (after !== undefined);
  return [...found.values()];
}

async function partAt(table: Table, entry: Key & IndexKey): Promise<UnsettledCommission | undefined> {
  const listed = listedAt(entry);
  if (listed) return listed;
  const commission = await itemOf(table, entry);
  return commission && unsettledPart(commission);
}

/** Corrects the place of every unsettled commission of a program, such as of those that an earlier version listed. */
export async function correctUnsettledPlaces(table: Table, programId: number): Promise<void> {
  for await (const page of pagesOf(table, listOf(programId))) {
    await Promise.all(page.map((entry) => correctPlace(table, entry)));
    table.forget();
  }
}

async function correctPlace(table: Table, { pk, sk }: Key): Promise<void> {
  const commission = await itemOf(table, { pk, sk });
  if (!commission) return;
  const place = unsettledPlaceOf(commission);
  if (place.gsi1sk === commission.gsi1sk) return;
  try {
    await table.update({ pk, sk }, { set: { ...place } }, { equals: { history: commission.history } });
  } catch (error) {
    // It has changed meanwhile, and its place with it.
    if (!(error instanceof ConditionFailed)) throw error;
  }
}
