import { counts } from '#lib/service/traffic/customers/browser-claim.ts';
import type { AttributedCustomer } from '#lib/service/traffic/customers/customer.ts';
import { keyedForPayer, keyName } from '#lib/service/conversions/payers/unattributed-payer.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findCustomerByKey } from '#lib/service/traffic/customers/customer-keys-items.ts';
import { firstUnattributedOf, unattributedPayerWrites } from '#lib/service/conversions/payers/payers-items.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import { retryOnConflict } from '#lib/service/ground/table/retry-on-conflict.ts';

/**
 * Finds the customer of a key for a sale sent by the brand's server. A key that only a browser claimed does not count
 * for a customer who clicked after an unattributed payment with this key. Only a key claimed by a browser needs a
 * further read.
 */
export async function findCustomerOfSaleByKey(
  table: Table,
  programId: number,
  customerKey: string | undefined,
  isTest?: true,
): Promise<AttributedCustomer | undefined> {
  const keyed = await findCustomerByKey(table, programId, customerKey, isTest);
  if (!customerKey || keyed?.keyBoundBy === undefined) return keyed;
  return keyedForPayer(keyed, await firstUnattributedOf(table, programId, [keyName(customerKey)]));
}

/** Whether a key finds no customer only because a browser claimed it and the customer clicked too late. */
export async function isClaimedTooLate(
  table: Table,
  program: Program,
  customerKey: string | undefined,
): Promise<boolean> {
  const keyed = await findCustomerByKey(table, program.id, customerKey);
  if (!keyed || !counts(keyed.keyBoundBy, program)) return false;
  return (await findCustomerOfSaleByKey(table, program.id, customerKey)) === undefined;
}

/**
 * Stores the time of the first unattributed payment with a key. The time is stored even if the program does not accept
 * browsers now, because this setting may change.
 */
export const rememberUnattributedKey = async (
  deps: Pick<Deps, 'table'>,
  programId: number,
  customerKey: string,
  paidAt: Date,
): Promise<void> =>
  retryOnConflict(deps, async () => {
    const writes = await unattributedPayerWrites(deps.table, programId, [keyName(customerKey)], paidAt);
    if (writes.length > 0) await deps.table.transact(writes);
  });
