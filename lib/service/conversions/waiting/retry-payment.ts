import type { Program } from '#lib/service/programs/program/program.ts';
import { paymentNotFound } from '#lib/service/ground/values/refusals.ts';
import type { UnattributedReason } from '#lib/service/conversions/waiting/unattributed-payment.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import {
  findUnattributedPayment,
  findUnattributedSale,
} from '#lib/service/conversions/waiting/unattributed-payments-items.ts';
import { auditWrites } from '#lib/service/people/workspaces/audit-writes.ts';
import { isRecorded } from '#lib/service/conversions/waiting/list-unattributed-payments.ts';
import { retryOnConflict } from '#lib/service/ground/table/retry-on-conflict.ts';
import { restoredPayment } from '#lib/service/conversions/waiting/retry-unattributed-payment.ts';
import { reasonInList } from '#lib/service/conversions/waiting/keep-payment.ts';
import { retrySale } from '#lib/service/conversions/waiting/retry-sale.ts';
import { idToRecordUnder } from '#lib/service/conversions/sales/under-own-id.ts';
import { recordPaymentAsSale } from '#lib/service/conversions/payments/record-payment-as-sale.ts';

/**
 * Tries again to record an unattributed payment, by the current rules. Idempotent: the conditional write of the sale
 * ensures that it is recorded once, even if the processor delivers its event again meanwhile.
 * @param name the event's id, or the transaction id of a sale sent by the brand's server
 * @returns why it is still not recorded; undefined if it is recorded
 * @throws Refusal if there is no such payment
 */
export const retryPayment = (deps: Deps, program: Program, name: string): Promise<UnattributedReason | undefined> =>
  retryOnConflict(deps, async () => {
    const { table } = deps;
    const stored =
      (await findUnattributedPayment(table, program.id, name)) ?? (await findUnattributedSale(table, program.id, name));
    if (!stored || stored.isTest || stored.amountCents === 0) throw paymentNotFound();
    if (await isRecorded(deps, program.id, stored)) return undefined;
    const audit = auditWrites(deps, program.workspaceId, {
      action: 'payment.retried',
      target: { type: 'payment', id: stored.transactionId, programId: program.id },
    });
    if (stored.sent) return retrySale(deps, program, stored, stored.sent, audit);
    const [named, recordedAs] = await Promise.all([
      restoredPayment(deps, stored, program, audit[0]),
      idToRecordUnder(deps, program.id, stored.transactionId),
    ]);
    if (!named) return stored.reason;
    const outcome = await recordPaymentAsSale(deps, { ...named, recordedAs });
    return outcome && reasonInList(outcome);
  });
