import { type Actor, changesBetween } from '#lib/service/ground/changes/audit.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { auditWrites } from '#lib/service/people/workspaces/audit-writes.ts';
import {
  type RecordedRefund,
  recordRefund,
  type RefundRequest,
} from '#lib/service/conversions/refunds/record-refund.ts';

/**
 * Corrects the refunded total of a sale, for an owner.
 * @throws Refusal if the program has no such sale, or the amount is too high
 */
export const correctRefund = (
  deps: Deps,
  { id: programId, workspaceId }: Pick<Program, 'id' | 'workspaceId'>,
  correction: RefundRequest,
  actor: Actor,
): Promise<RecordedRefund> =>
  recordRefund(deps, correction, programId, {
    actor,
    writes: (before, after) =>
      auditWrites(deps, workspaceId, {
        action: 'sale.refund_corrected',
        target: { type: 'sale', id: correction.transactionId, programId },
        // The audit row has no reason, because an erasure removes the reason but not the row.
        changes: changesBetween(
          { refunded_amount_cents: before.refundedCents },
          { refunded_amount_cents: after.refundedCents },
        ),
      }),
  });
