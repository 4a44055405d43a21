import { counts } from '#lib/service/traffic/customers/browser-claim.ts';
import type { AttributedCustomer } from '#lib/service/traffic/customers/customer.ts';
import { keyedForPayer, keyName } from '#lib/service/conversions/payers/payer-of-nobody.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findCustomerByKey } from '#lib/service/traffic/customers/customers-items.ts';
import { firstUnsoldOf, unsoldPayerWrites } from '#lib/service/conversions/payers/payers-items.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import { retryOnConflict } from '#lib/service/ground/table/retry-on-conflict.ts';

/**
 * The customer of a key for a sale of the brand's own server: none where only a browser claimed it, for somebody who
 * clicked after a payment by this key was nobody's. Only such a claim costs a further read.
 */
export async function findCustomerOfKey(
  table: Table,
  programId: number,
  customerKey: string | undefined,
  isTest?: true,
): Promise<AttributedCustomer | undefined> {
  const keyed = await findCustomerByKey(table, programId, customerKey, isTest);
  if (!customerKey || keyed?.keyBoundBy === undefined) return keyed;
  return keyedForPayer(keyed, await firstUnsoldOf(table, programId, [keyName(customerKey)]));
}

/** Whether a key finds nobody only because the customer for whom a browser claimed it clicked too late. */
export async function isClaimedTooLate(
  table: Table,
  program: Program,
  customerKey: string | undefined,
): Promise<boolean> {
  const keyed = await findCustomerByKey(table, program.id, customerKey);
  if (!keyed || !counts(keyed.keyBoundBy, program)) return false;
  return (await findCustomerOfKey(table, program.id, customerKey)) === undefined;
}

/**
 * Remembers that a payment by a key was nobody's, at the time of the first of them, whoever may be believed at present:
 * the program may take a browser's word later.
 */
export const rememberKeyOfNobody = async (
  deps: Pick<Deps, 'table'>,
  programId: number,
  customerKey: string,
  paidAt: Date,
): Promise<void> =>
  retryOnConflict(deps, async () => {
    const writes = await unsoldPayerWrites(deps.table, programId, [keyName(customerKey)], paidAt);
    if (writes.length > 0) await deps.table.transact(writes);
  });
