import { keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

/** Billing details of an account as stored. `updatedAt` is ISO 8601. */
export interface SealedBilling {
  readonly sealed: string;
  readonly updatedAt: string;
}

export const findSealedBilling = (table: Table, accountId: number): Promise<SealedBilling | undefined> =>
  table.get<SealedBilling>(keys.billing(accountId));

/** Closes the race between two changes: the second one reloads and decides again. */
export const billingWrite = (accountId: number, before: SealedBilling | undefined, after: SealedBilling): Write => ({
  name: 'billing',
  key: keys.billing(accountId),
  put: after,
  condition: { equals: { sealed: before?.sealed } },
});
