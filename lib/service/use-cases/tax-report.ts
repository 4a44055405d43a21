import type { TaxReport } from '#lib/domain/commission-base.ts';
import { taxOf } from '#lib/domain/late-tax.ts';
import type { ProcessorPayment } from '#lib/domain/processor-event.ts';
import { paymentOf } from '#lib/domain/unsold-payment.ts';
import type { Deps } from '#lib/service/deps.ts';
import type { PaymentTrace } from '#lib/service/store/payments.ts';
import { findUnsoldPayment } from '#lib/service/store/unsold-payments.ts';

/** The tax of a payment: as this event tells it, else as an invoice that waits for the payment does. */
export async function taxReportOf(
  { table }: Pick<Deps, 'table'>,
  { programId, keptBy }: PaymentTrace,
  payment: ProcessorPayment | undefined,
): Promise<TaxReport | undefined> {
  const own = payment && taxOf(payment);
  if (own || keptBy === undefined) return own;
  const unsold = await findUnsoldPayment(table, programId, keptBy);
  return unsold?.kept && taxOf(paymentOf(unsold, unsold.kept));
}
