import type { Program } from '#lib/domain/program.ts';
import { paymentNotFound } from '#lib/domain/refusals.ts';
import type { UnsoldReason } from '#lib/domain/unsold-payment.ts';
import type { Deps } from '#lib/service/deps.ts';
import { findUnsoldPayment, findUnsoldSale } from '#lib/service/store/unsold-payments.ts';
import { auditWrites } from '#lib/service/use-cases/audit-writes.ts';
import { isRecorded } from '#lib/service/use-cases/list-unsold-payments.ts';
import { retryOnConflict } from '#lib/service/use-cases/retry-on-conflict.ts';
import { keptAgain } from '#lib/service/use-cases/sell-kept-payment.ts';
import { reasonInList } from '#lib/service/use-cases/keep-payment.ts';
import { retrySale } from '#lib/service/use-cases/retry-sale.ts';
import { idToRecordUnder } from '#lib/service/use-cases/under-own-id.ts';
import { sellPayment } from '#lib/service/use-cases/sell-payment.ts';

/**
 * Tries once more to record a payment, by the rules of today. However often it is tried, and even while the processor
 * delivers its event again, it is recorded once: the sale's own write decides.
 * @param name the event's id, or the transaction id of a sale that the brand's server sent
 * @returns why it is still no sale; undefined when it is one
 * @throws Refusal when no such payment is known
 */
export const retryPayment = (deps: Deps, program: Program, name: string): Promise<UnsoldReason | undefined> =>
  retryOnConflict(deps, async () => {
    const { table } = deps;
    const unsold =
      (await findUnsoldPayment(table, program.id, name)) ?? (await findUnsoldSale(table, program.id, name));
    if (!unsold || unsold.isTest || unsold.amountCents === 0) throw paymentNotFound();
    if (await isRecorded(deps, program.id, unsold)) return undefined;
    const audit = auditWrites(deps, program.workspaceId, {
      action: 'payment.retried',
      target: { type: 'payment', id: unsold.transactionId, programId: program.id },
    });
    if (unsold.sent) return retrySale(deps, program, unsold, unsold.sent, audit);
    const [named, recordedAs] = await Promise.all([
      keptAgain(deps, unsold, program, audit[0]),
      idToRecordUnder(deps, program.id, unsold.transactionId),
    ]);
    if (!named) return unsold.reason;
    const outcome = await sellPayment(deps, { ...named, recordedAs });
    return outcome && reasonInList(outcome);
  });
