import { setTimeout as pause } from 'node:timers/promises';
import type { Customer } from '#lib/service/traffic/customers/customer.ts';
import { customerOfKeyNotFound } from '#lib/service/ground/values/refusals.ts';
import type { OperatorDeps } from '#lib/service/ground/effects/deps.ts';
import { customerWithData } from '#lib/service/traffic/customers/customer-with-data.ts';
import { findCustomerByKey } from '#lib/service/traffic/customers/customer-keys-items.ts';
import { findLead } from '#lib/service/conversions/leads/leads-items.ts';
import { erasedClickId, erasedCustomerWrites, findDueErasure } from '#lib/service/operations/erasure/erasure-items.ts';
import { eraseRecords, SETTLING_MS } from '#lib/service/operations/erasure/erase-records.ts';
import { retryOnConflict } from '#lib/service/ground/table/retry-on-conflict.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

/** The customer to erase, by click id or by customer key. */
export interface Erasure {
  readonly programId: number;
  readonly clickId?: string;
  readonly customerKey?: string;
}

export interface Erased {
  readonly clickId: string;
  /** Real sales of the customer, which are kept without personal data. */
  readonly sales: number;
}

/**
 * Erases a customer's personal data. First, one write makes it impossible to find the customer. Then the erasure waits
 * until requests that had already found the customer have ended. Finally it removes the personal data from the
 * customer's records. So a concurrent request is either refused because the customer does not exist, or what it records
 * is erased too. Sales, commissions, refunds and counters stay. After a crash the erasure can be repeated; if no one
 * does, the scheduled function finishes it.
 * @param settle waits until requests in progress have ended
 * @throws Refusal if there is no such customer
 */
export async function eraseCustomer(
  deps: OperatorDeps,
  erasure: Erasure,
  settle: () => Promise<unknown> = () => pause(SETTLING_MS),
): Promise<Erased> {
  const { table, now } = deps;
  const { programId, clickId, erasedAt = now.toISOString() } = await markErased(deps, () => customerOf(deps, erasure));
  if (now.getTime() - Date.parse(erasedAt) < SETTLING_MS) await settle();
  const keyHash = (await findDueErasure(table, clickId))?.keyHash;
  return { clickId, sales: await eraseRecords(deps, [{ programId, clickId, keyHash, erasedAt }]) };
}

/**
 * Makes a customer impossible to find, and leaves the rest of the erasure to the scheduled function.
 * @param more further writes of the transaction
 * @returns the customer before the erasure
 */
export const markErased = (
  deps: OperatorDeps,
  load: () => Promise<Customer>,
  more: readonly Write[] = [],
): Promise<Customer> =>
  retryOnConflict(deps, async () => {
    const { table, now } = deps;
    const customer = await load();
    if (customer.erasedAt === undefined) {
      const lead = await findLead(table, customer.clickId);
      await table.transact([...erasedCustomerWrites(customer, lead, now), ...more]);
    }
    table.forget();
    return customer;
  });

async function customerOf(deps: OperatorDeps, { programId, clickId, customerKey }: Erasure): Promise<Customer> {
  if (customerKey === undefined) return customerWithData(deps, programId, clickId);
  const { table } = deps;
  const keyed = await findCustomerByKey(table, programId, customerKey);
  const former = keyed?.clickId ?? (await erasedClickId(table, programId, customerKey));
  return customerWithData(deps, programId, former, customerOfKeyNotFound);
}
