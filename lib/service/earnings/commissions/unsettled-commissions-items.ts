import type { UnsettledCommission } from '#lib/service/earnings/commissions/unsettled-commission.ts';
import { unsettledListedAt } from '#lib/service/earnings/commissions/commission-listings-items.ts';
import { indexKeys, partnerIndexKeys } from '#lib/service/ground/table/keys.ts';
import type { IndexName } from '#lib/service/ground/config/table-definition.ts';
import type { Table } from '#lib/service/ground/table/table.ts';

/** Higher than a query can return (1 MB, about 4,000 keys), so that only DynamoDB's limit ends a query. */
const STRIDE = 20_000;

/**
 * All unsettled commissions of a program. Reads only the index, which may lack very recent writes. 10,000 commissions
 * take about 3 queries.
 */
export const unsettledCommissionsOf = (table: Table, programId: number): Promise<UnsettledCommission[]> =>
  everyUnsettled(table, indexKeys.unsettledCommission(programId, '', 0).gsi1pk, 'gsi1');

export const unsettledCommissionsOfPartner = (
  table: Table,
  programId: number,
  partnerId: number,
): Promise<UnsettledCommission[]> =>
  everyUnsettled(table, partnerIndexKeys.openCommission(programId, partnerId, '').gsi2pk, 'gsi2');

export async function hasUnsettledCommission(table: Table, programId: number, partnerId: number): Promise<boolean> {
  const list = partnerIndexKeys.openCommission(programId, partnerId, '').gsi2pk;
  const { entries } = await table.list(list, { index: 'gsi2', most: 1 });
  return entries.length > 0;
}

async function everyUnsettled(table: Table, list: string, index: IndexName): Promise<UnsettledCommission[]> {
  const found = new Map<number, UnsettledCommission>();
  let after: string | undefined;
  do {
    const { entries, next } = await table.list(list, { index, most: STRIDE, after });
    // Keyed by id, because a commission that changes between two queries may be in both results.
    for (const { position } of entries) {
      const part = unsettledListedAt(position);
      found.set(part.id, part);
    }
    after = next;
  } while (after !== undefined);
  return [...found.values()];
}
