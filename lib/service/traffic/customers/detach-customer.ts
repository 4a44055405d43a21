import type { Actor } from '#lib/service/ground/changes/audit.ts';
import type { Customer, UnlinkedCustomer } from '#lib/service/traffic/customers/customer.ts';
import { customerNotFound, programNotFound } from '#lib/service/ground/values/refusals.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { detachedCustomerWrites, findRecordedCustomer } from '#lib/service/traffic/customers/customers-items.ts';
import { findProgram } from '#lib/service/programs/program/programs-items.ts';
import { auditWrites } from '#lib/service/people/workspaces/audit-writes.ts';
import { retryOnConflict } from '#lib/service/ground/table/retry-on-conflict.ts';

/**
 * Finds a customer of the program, including unlinked ones.
 * @throws Refusal if there is no such customer, or if the customer was erased
 */
export async function customerOf({ table }: Deps, programId: number, clickId: string | undefined): Promise<Customer> {
  const customer = await findRecordedCustomer(table, clickId);
  if (customer?.programId !== programId || customer.erasedAt !== undefined) throw customerNotFound();
  return customer;
}

/**
 * Unlinks a customer, so that no identifier matches it. The person's next click creates a new customer. Recorded sales
 * and commissions stay. If the call is repeated, the first reason stays.
 * @throws Refusal if the program or the customer does not exist
 */
export const detachCustomer = (
  deps: Deps,
  { clickId, programId }: Pick<Customer, 'clickId' | 'programId'>,
  reason: string,
  by: Actor,
): Promise<UnlinkedCustomer> =>
  retryOnConflict(deps, async () => {
    const [program, customer] = await Promise.all([
      findProgram(deps.table, programId),
      customerOf(deps, programId, clickId),
    ]);
    if (!program) throw programNotFound();
    const { unlinkedAt, unlinkReason } = customer;
    if (unlinkedAt !== undefined && unlinkReason !== undefined) return { clickId, unlinkedAt, unlinkReason };
    await deps.table.transact([
      ...detachedCustomerWrites(customer, { at: deps.now, by, reason }),
      ...auditWrites(deps, program.workspaceId, {
        action: 'customer.unlinked',
        // The audit row has no reason, because an erasure removes the reason but not the row.
        target: { type: 'customer', id: clickId, programId },
      }),
    ]);
    deps.table.forget();
    return { clickId, unlinkedAt: deps.now.toISOString(), unlinkReason: reason };
  });
