import type { Program } from '#lib/domain/program.ts';
import { paymentNotFound } from '#lib/domain/refusals.ts';
import type { UnsoldReason } from '#lib/domain/unsold-payment.ts';
import type { Deps } from '#lib/service/deps.ts';
import { findUnsoldPayment } from '#lib/service/store/unsold-payments.ts';
import { auditWrites } from '#lib/service/use-cases/audit-writes.ts';
import { isRecorded } from '#lib/service/use-cases/list-unsold-payments.ts';
import { retryOnConflict } from '#lib/service/use-cases/retry-on-conflict.ts';
import { keptAgain } from '#lib/service/use-cases/sell-kept-payment.ts';
import { reasonInList } from '#lib/service/use-cases/keep-payment.ts';
import { sellPayment } from '#lib/service/use-cases/sell-payment.ts';

/**
 * Tries once more to record a payment, by the rules of today. However often it is tried, and even while the processor
 * delivers its event again, it is recorded once: the sale's own write decides.
 * @returns why it is still no sale; undefined when it is one
 * @throws Refusal when no such payment is known
 */
export const retryPayment = (deps: Deps, program: Program, eventId: string): Promise<UnsoldReason | undefined> =>
  retryOnConflict(deps, async () => {
    const unsold = await findUnsoldPayment(deps.table, program.id, eventId);
    if (!unsold || unsold.isTest || unsold.amountCents === 0) throw paymentNotFound();
    if (await isRecorded(deps, program.id, unsold)) return undefined;
    const [audit] = auditWrites(deps, program.workspaceId, {
      action: 'payment.retried',
      target: { type: 'payment', id: unsold.transactionId, programId: program.id },
    });
    const named = await keptAgain(deps, unsold, program, audit);
    if (!named) return unsold.reason;
    const outcome = await sellPayment(deps, named);
    return outcome && reasonInList(outcome);
  });
