import type { LeadCommission, ManualCommission, SaleCommission } from '#lib/service/earnings/commissions/commission.ts';
import { type Key, keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

/** The fields of a commission from which its primary key is derived. */
export type CommissionPlace =
  | Pick<SaleCommission, 'kind' | 'transactionId'>
  | Pick<LeadCommission, 'kind' | 'clickId'>
  | Pick<ManualCommission, 'kind' | 'id'>;

export function commissionKey(place: CommissionPlace): Key {
  if (place.kind === 'manual') return keys.manualCommission(place.id);
  return place.kind === 'lead' ? keys.leadCommission(place.clickId) : keys.commission(place.transactionId);
}

// What the names of commissions begin with. Transaction ids are free text; these prefixes keep such a text from being
// read as another kind of name.
const OF_SALE = 'OF#';
const OF_LEAD = 'OF_LEAD#';
const OF_ITSELF = 'NAME';

/** The key of a commission's name item, a small item that finds the commission by id and lists it. */
export const commissionNameKey = (commission: CommissionPlace & { readonly id: number }): Key =>
  keys.commissionName(commission.id, nameOf(commission));

function nameOf(place: CommissionPlace): string {
  if (place.kind === 'manual') return OF_ITSELF;
  return place.kind === 'lead' ? `${OF_LEAD}${place.clickId}` : `${OF_SALE}${place.transactionId}`;
}

/** Reads the commission's primary key from its name item. A manual commission is in the partition of its name item. */
export function placeNamedBy({ pk, sk }: Key): CommissionPlace {
  if (sk.startsWith(OF_SALE)) return { transactionId: sk.slice(OF_SALE.length) };
  if (sk.startsWith(OF_LEAD)) return { kind: 'lead', clickId: sk.slice(OF_LEAD.length) };
  return { kind: 'manual', id: Number(pk.slice('COMMISSION#'.length)) };
}

/** The key of the commission to which its name item, `COMMISSION#id`, points. */
export const commissionNamedBy = (name: Key): Key => commissionKey(placeNamedBy(name));

/** The item that reserves an external id, which the owner chose, for one manual commission. */
export interface ExternalId {
  readonly commissionId: number;
}

export const findExternalId = (
  table: Table,
  programId: number,
  externalId: string | undefined,
): Promise<ExternalId | undefined> =>
  externalId === undefined ? Promise.resolve(undefined) : table.get<ExternalId>(keys.externalId(programId, externalId));

/**
 * Writes that reserve the external id of a new commission. If several requests with the same id race, one succeeds, and
 * the others return its commission.
 * @param before a reservation whose commission was lost by a restore
 */
export const externalIdWrites = (
  { id: commissionId, programId, externalId }: Pick<ManualCommission, 'id' | 'programId' | 'externalId'>,
  before?: ExternalId,
): Write[] =>
  externalId === undefined
    ? []
    : [
        {
          name: 'externalId',
          key: keys.externalId(programId, externalId),
          put: { commissionId },
          condition: { equals: { commissionId: before?.commissionId } },
        },
      ];
