import { customerNotFound } from '#lib/service/ground/values/refusals.ts';
import type { OperatorDeps } from '#lib/service/ground/effects/deps.ts';
import { findCustomer, unlinkedCustomerWrites } from '#lib/service/traffic/customers/customers-items.ts';
import { retryOnConflict } from '#lib/service/ground/table/retry-on-conflict.ts';

/** Unlinks a customer from its partner. Recorded events stay. @throws Refusal if there is no such customer */
export const unlinkCustomer = (deps: OperatorDeps, clickId: string): Promise<void> =>
  retryOnConflict(deps, async () => {
    const customer = await findCustomer(deps.table, clickId);
    if (!customer) throw customerNotFound();
    await deps.table.transact(unlinkedCustomerWrites(customer));
  });
