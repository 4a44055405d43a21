import type { TaxReport } from '#lib/service/programs/terms/commission-base.ts';
import { taxOf } from '#lib/service/conversions/payments/late-tax.ts';
import type { ProcessorPayment } from '#lib/service/conversions/processors/processor-event.ts';
import { paymentOf } from '#lib/service/conversions/waiting/unattributed-payment.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import type { PaymentTrace } from '#lib/service/conversions/payments/payments-items.ts';
import { findUnattributedPayment } from '#lib/service/conversions/waiting/unattributed-payments-items.ts';

/** The tax of a payment: from this event, else from an invoice that waits for the payment. */
export async function taxReportOf(
  { table }: Pick<Deps, 'table'>,
  { programId, keptBy }: PaymentTrace,
  payment: ProcessorPayment | undefined,
): Promise<TaxReport | undefined> {
  const own = payment && taxOf(payment);
  if (own || keptBy === undefined) return own;
  const stored = await findUnattributedPayment(table, programId, keptBy);
  return stored?.kept && taxOf(paymentOf(stored, stored.kept));
}
