import type { ProcessorReport } from '#lib/domain/processor-event.ts';
import { type Refunded, withReversals } from '#lib/domain/refund.ts';
import type { Sale } from '#lib/domain/sale.ts';
import { isOneTooMany, type Reversal } from '#lib/domain/reversals.ts';
import type { Deps } from '#lib/service/deps.ts';
import { type PaymentTrace, linkPaymentToSale, tracePayment, parkReversal } from '#lib/service/store/payments.ts';
import { findCommission, findSale } from '#lib/service/store/sales.ts';
import { type RefundEvent, refundWrites } from '#lib/service/store/refunds.ts';
import type { Write } from '#lib/service/store/writes.ts';
import type { Delivery, Unprocessed } from '#lib/service/use-cases/delivery.ts';

type ReversalOrLink = Extract<ProcessorReport, { kind: 'reversal' | 'link' }>;

/**
 * Records a refund, a dispute or another id of a payment on its sale. Where no program has the sale yet, it waits under
 * the payment's ids: the transaction that records the sale applies it.
 */
export async function recordReversal(deps: Deps, delivery: Delivery, report: ReversalOrLink): Promise<Unprocessed> {
  const { table, now } = deps;
  const { references } = report;
  if (references.length === 0) return 'no_payment_named';
  const reversal = report.kind === 'reversal' ? report.reversal : undefined;
  const traces = await Promise.all(delivery.programs.map(({ id }) => tracePayment(table, id, references)));
  const sold = traces.find(({ transactionId }) => transactionId !== undefined);
  const sale = sold?.transactionId === undefined ? undefined : await findSale(table, sold.transactionId);
  if (sale) deps.logContext.programId = sale.programId;
  const waiting = (sold ? [sold] : traces).flatMap((trace) => trace.waiting);
  if (reversal && isOneTooMany(reversal, sale, waiting)) return 'too_many_reversals';
  const writes =
    sold && sale
      ? await saleUpdateWrites(deps, sold, sale, { reversal })
      : traces.flatMap((trace) => parkReversal(trace, reversal, now));
  // An account may serve many programs; with the last writes the event counts as processed.
  const chunks = chunksOf(writes, MOST_WRITES);
  for (const chunk of chunks.slice(0, -1)) await table.transact(chunk);
  await table.transact([...(chunks.at(-1) ?? []), delivery.processed]);
  return undefined;
}

/** DynamoDB takes a hundred in one transaction. */
const MOST_WRITES = 99;

const chunksOf = <T>(all: readonly T[], most: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / most) }, (_, index) => all.slice(index * most, (index + 1) * most));

/** The changes of an event to a recorded sale. */
interface SaleUpdate {
  readonly reversal?: Reversal;
  readonly paymentIntentId?: string;
}

/** Writes that link a recorded sale to a payment's ids and apply all reversals known of it. */
export async function saleUpdateWrites(
  deps: Deps,
  trace: PaymentTrace,
  sale: Sale,
  { reversal, paymentIntentId }: SaleUpdate,
): Promise<Write[]> {
  const { table, now } = deps;
  const commission = await findCommission(table, sale.transactionId);
  const reversals = [...trace.waiting, ...(reversal ? [reversal] : [])];
  // A subscription's checkout does not know the payment intent that its invoice names.
  const isNamed = paymentIntentId === undefined || sale.providerPaymentId !== undefined;
  const named = isNamed ? sale : { ...sale, providerPaymentId: paymentIntentId };
  const after = withReversals(named, commission, reversals, { actor: 'processor', at: now });
  return [
    ...(after.sale === sale ? [] : refundWrites({ sale, commission }, after, await refundEvents(deps, after))),
    ...linkPaymentToSale(trace, sale.transactionId, now),
  ];
}

/** An event for each step. */
export const refundEvents = ({ ids, table, now }: Deps, { steps }: Refunded): Promise<RefundEvent[]> =>
  Promise.all(
    steps.map(async () => ({ id: await ids.take(table), createdAt: now.toISOString(), source: 'processor' as const })),
  );
