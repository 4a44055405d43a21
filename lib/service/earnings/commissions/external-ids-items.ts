import type { ManualCommission } from '#lib/service/earnings/commissions/commission.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

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
