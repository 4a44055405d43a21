import { timeAfter } from '#lib/service/ground/changes/versions.ts';
import type { TaxReport } from '#lib/service/programs/terms/commission-base.ts';
import { lacksTax, withLateTax } from '#lib/service/conversions/payments/late-tax.ts';
import type { ProcessorPayment } from '#lib/service/conversions/processors/processor-event.ts';
import { type Refunded, withReversals } from '#lib/service/conversions/refunds/refund.ts';
import { type Reversal, wasEverReversed } from '#lib/service/conversions/refunds/reversals.ts';
import { changedAtOf, type Sale } from '#lib/service/conversions/sales/sale.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { unchangedCommissionCheck } from '#lib/service/earnings/commissions/commissions-items.ts';
import { linkPaymentToSale, type PaymentTrace } from '#lib/service/conversions/payments/payments-items.ts';
import {
  type RefundEvent,
  refundShareWrites,
  refundWrites,
  storedRefundsOf,
} from '#lib/service/conversions/refunds/refunds-items.ts';
import { findCommission, unchangedSaleCheck } from '#lib/service/conversions/sales/sales-items.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';
import { taxReportOf } from '#lib/service/conversions/payments/tax-report.ts';

/** What an event adds to a recorded sale. */
interface SaleUpdate {
  readonly reversal?: Reversal;
  readonly paymentIntentId?: string;
  /** The payment itself, if the event reports it again. */
  readonly payment?: ProcessorPayment;
  /** The tax from another record of the payment. */
  readonly tax?: TaxReport;
  /** The sale after a coupon code from this event was added. */
  readonly coded?: Sale;
  /** Writes that make the payment wait for its promotion code. They may be repeated. */
  readonly waits?: readonly Write[];
}

/**
 * Links a recorded sale to a payment's ids, adds data that only this event contains, and applies all known refunds and
 * disputes.
 * @param lastly further writes for the transaction
 * @throws ConditionFailed after a concurrent change: reload and decide again
 */
export async function updateSale(
  deps: Deps,
  trace: PaymentTrace,
  sale: Sale,
  {
    reversal,
    payment,
    tax,
    coded = sale,
    waits = [],
    paymentIntentId = payment?.paymentIntentId ?? trace.paymentIntentId,
  }: SaleUpdate,
  lastly: readonly Write[],
): Promise<void> {
  const { table, now } = deps;
  const change = { actor: 'processor', at: now } as const;
  const [commission, report] = await Promise.all([
    findCommission(table, sale.transactionId),
    lacksTax(sale) ? (tax ?? taxReportOf(deps, trace, payment)) : undefined,
  ]);
  const refunds = report && wasEverReversed(sale) ? await storedRefundsOf(table, sale.transactionId) : [];
  const recoded = coded === sale ? sale : { ...coded, changedAt: timeAfter(now, changedAtOf(sale)).toISOString() };
  const codedCommission = coded === sale ? commission : commission && { ...commission, code: coded.code };
  const taxed = withLateTax(recoded, codedCommission, report, refunds, change);
  // The sale stores the payment intent as soon as an event reports it. Other events may lack it: a subscription's
  // checkout has no payment intent of the invoice, and an invoice may have none of its payment.
  const isNamed = paymentIntentId === undefined || sale.providerPaymentId !== undefined;
  const named = isNamed ? taxed.sale : { ...taxed.sale, providerPaymentId: paymentIntentId };
  const reversals = [...trace.waiting, ...(reversal ? [reversal] : [])];
  const after = withReversals(named, taxed.commission, reversals, change);
  const writes = [
    ...(after.sale === sale ? [] : refundWrites({ sale, commission }, after, await refundEvents(deps, after))),
    ...linkPaymentToSale(trace, sale.transactionId, now),
    ...lastly,
    ...(commission ? refundShareWrites(refunds, taxed.shares, commission.currency) : []),
    ...waits,
  ];
  // The retry of a payment may contain nothing new.
  if (writes.length === 0) return;
  await table.transactLong(writes, [
    unchangedSaleCheck(sale),
    ...(commission ? [unchangedCommissionCheck(commission)] : []),
  ]);
}

/** Creates an event with its own id for each refund step. */
export const refundEvents = ({ ids, table }: Deps, { steps }: Refunded): Promise<RefundEvent[]> =>
  Promise.all(steps.map(async () => ({ id: await ids.take(table), source: 'processor' as const })));
