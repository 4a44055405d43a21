import type { LeadCommission, ManualCommission, SaleCommission } from '#lib/service/earnings/commissions/commission.ts';
import { type Key, keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

/** The part of a commission from which its primary key is derived. */
export type CommissionPlace =
  | Pick<SaleCommission, 'kind' | 'transactionId'>
  | Pick<LeadCommission, 'kind' | 'clickId'>
  | Pick<ManualCommission, 'kind' | 'id'>;

export function commissionKey(place: CommissionPlace): Key {
  if (place.kind === 'manual') return keys.manualCommission(place.id);
  return place.kind === 'lead' ? keys.leadCommission(place.clickId) : keys.commission(place.transactionId);
}

// The beginnings of names. Transaction ids are free text; the prefixes keep them from matching another kind's name.
const OF_SALE = 'OF#';
const OF_LEAD = 'OF_LEAD#';
const OF_ITSELF = 'NAME';

/** The key of the item that finds a commission by id and lists it. */
export const commissionNameKey = (commission: CommissionPlace & { readonly id: number }): Key =>
  keys.commissionName(commission.id, nameOf(commission));

function nameOf(place: CommissionPlace): string {
  if (place.kind === 'manual') return OF_ITSELF;
  return place.kind === 'lead' ? `${OF_LEAD}${place.clickId}` : `${OF_SALE}${place.transactionId}`;
}

/** Parses a name into the commission's place. A manual commission is in the same partition as its name. */
export function placeNamedBy({ pk, sk }: Key): CommissionPlace {
  if (sk.startsWith(OF_SALE)) return { transactionId: sk.slice(OF_SALE.length) };
  if (sk.startsWith(OF_LEAD)) return { kind: 'lead', clickId: sk.slice(OF_LEAD.length) };
  return { kind: 'manual', id: Number(pk.slice('COMMISSION#'.length)) };
}

/** The key of the commission to which its name item, `COMMISSION#id`, points. */
export const commissionNamedBy = (name: Key): Key => commissionKey(placeNamedBy(name));

/** The manual commission that has an external id. */
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
 * Reserves the external id of a new commission. Of requests with the same id at once one succeeds; the losers answer
 * its commission.
 * @param before a reservation whose commission a restore has lost
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
