import type { Program } from '#lib/service/programs/program/program.ts';
import { paymentNotFound } from '#lib/service/ground/values/refusals.ts';
import type { UnsoldReason } from '#lib/service/conversions/waiting/unsold-payment.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findUnsoldPayment, findUnsoldSale } from '#lib/service/conversions/waiting/unsold-payments-items.ts';
import { auditWrites } from '#lib/service/people/workspaces/audit-writes.ts';
import { isRecorded } from '#lib/service/conversions/waiting/list-unsold-payments.ts';
import { retryOnConflict } from '#lib/service/ground/table/retry-on-conflict.ts';
import { keptAgain } from '#lib/service/conversions/waiting/sell-kept-payment.ts';
import { reasonInList } from '#lib/service/conversions/waiting/keep-payment.ts';
import { retrySale } from '#lib/service/conversions/waiting/retry-sale.ts';
import { idToRecordUnder } from '#lib/service/conversions/sales/under-own-id.ts';
import { sellPayment } from '#lib/service/conversions/payments/sell-payment.ts';

/**
 * Tries again to record an unattributed payment, by the current rules. Idempotent: the conditional write of the sale
 * ensures that it is recorded once, even if the processor delivers its event again at the same time.
 * @param name the event's id, or the transaction id of a sale sent by the brand's server
 * @returns why it is still not recorded; undefined if it is recorded
 * @throws Refusal if there is no such payment
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
