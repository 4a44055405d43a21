import { changesBetween } from '#lib/domain/audit.ts';
import type { Actor } from '#lib/domain/commission.ts';
import type { Customer, UnlinkedCustomer } from '#lib/domain/customer.ts';
import { customerNotFound, programNotFound } from '#lib/domain/refusals.ts';
import type { Deps } from '#lib/service/deps.ts';
import { detachedCustomerWrites, findRecordedCustomer } from '#lib/service/store/customers.ts';
import { findProgram } from '#lib/service/store/programs.ts';
import { auditWrites } from '#lib/service/use-cases/audit-writes.ts';
import { retryOnConflict } from '#lib/service/use-cases/retry-on-conflict.ts';

/** The customer of a program, an unlinked one too. @throws Refusal */
export async function customerOf({ table }: Deps, programId: number, clickId: string | undefined): Promise<Customer> {
  const customer = await findRecordedCustomer(table, clickId);
  if (customer?.programId !== programId || customer.erasedAt !== undefined) throw customerNotFound();
  return customer;
}

/**
 * Makes a customer impossible to match by any identifier; the person's next click creates a new customer. Recorded
 * sales and commissions stay. When repeated, the first reason stays.
 * @throws Refusal
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
        target: { type: 'customer', id: clickId, programId },
        changes: changesBetween({}, { reason }),
      }),
    ]);
    deps.table.forget();
    return { clickId, unlinkedAt: deps.now.toISOString(), unlinkReason: reason };
  });
