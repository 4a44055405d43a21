import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { markErased } from '#lib/service/operations/erasure/erase-customer.ts';
import { findDueErasure } from '#lib/service/operations/erasure/erasure-items.ts';
import { auditWrites } from '#lib/service/people/workspaces/audit-writes.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import { countSalesOf } from '#lib/service/conversions/sales/customer-sales-items.ts';
import { customerWithData } from '#lib/service/traffic/customers/customer-with-data.ts';
import type { Customer } from '#lib/service/traffic/customers/customer.ts';

export interface RequestedErasure {
  readonly clickId: string;
  readonly status: 'erasing' | 'erased';
  /** Real sales of the customer, which are kept without personal data. */
  readonly sales: number;
}

/**
 * Begins the erasure of a customer, which the scheduled function finishes. If it has begun already, only its progress
 * is read.
 */
export async function requestErasure(
  deps: Deps,
  { id: programId, workspaceId }: Pick<Program, 'id' | 'workspaceId'>,
  { clickId }: Pick<Customer, 'clickId'>,
): Promise<RequestedErasure> {
  const { table } = deps;
  const target = { type: 'customer', id: clickId, programId } as const;
  const { erasedAt } = await markErased(
    deps,
    () => customerWithData(deps, programId, clickId),
    auditWrites(deps, workspaceId, { action: 'customer.erased', target }),
  );
  // After a restore from a backup, these log lines show which erasures must be repeated.
  if (erasedAt === undefined) deps.log.info('customer_erased', { program_id: programId, click_id: clickId });
  const [due, sales] = await Promise.all([findDueErasure(table, clickId), countSalesOf(table, clickId)]);
  return { clickId, status: due === undefined ? 'erased' : 'erasing', sales };
}
