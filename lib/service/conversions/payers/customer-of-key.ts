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
 * Finds the customer by key for a sale that the brand's server sent. If only a browser has claimed the key, a second
 * read is needed: the customer is not found if its click came after an unattributed payment with this key.
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

/**
 * Whether a key finds no customer only because a browser claimed it and the customer clicked only after an unattributed
 * payment with it.
 */
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
 * Stores the time of the first unattributed payment with a key. The time is stored even while the program does not
 * accept keys from browsers, because the owner may change this setting.
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
