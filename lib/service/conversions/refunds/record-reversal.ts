import type { ProcessorReport } from '#lib/service/conversions/processors/processor-event.ts';
import { isRealIn } from '#lib/service/programs/program/program.ts';
import { isOneTooMany } from '#lib/service/conversions/refunds/waiting-reversals.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import {
  linkIdsOfPayment,
  parkPayment,
  type PaymentTrace,
  spaceOf,
  tracePayment,
} from '#lib/service/conversions/payments/payments-items.ts';
import { MOST_WRITES, type Write } from '#lib/service/ground/table/writes.ts';
import type { Delivery, Unprocessed } from '#lib/service/conversions/processors/delivery.ts';
import { soleSaleOf } from '#lib/service/conversions/payments/duplicate-sales.ts';
import { retryUnattributedPayment } from '#lib/service/conversions/waiting/retry-unattributed-payment.ts';
import { updateSale } from '#lib/service/conversions/sales/update-sale.ts';

type ReversalOrLink = Extract<ProcessorReport, { kind: 'reversal' | 'link' }>;

/**
 * Records a refund, a dispute or a further payment id on its sale. If no program has the sale yet, the report is stored
 * under the payment's ids, and the transaction that will record the sale applies it. If an invoice waited for its
 * payment intent and this event reports it, the invoice's payment is recorded too.
 */
export async function recordReversal(deps: Deps, delivery: Delivery, report: ReversalOrLink): Promise<Unprocessed> {
  const { table, now } = deps;
  const { references } = report;
  if (references.length === 0) return 'no_payment_named';
  const reversal = report.kind === 'reversal' ? report.reversal : undefined;
  const paymentIntentId = report.kind === 'link' ? report.paymentIntentId : undefined;
  const traces = await Promise.all(
    delivery.programs.map((program) =>
      tracePayment(table, program.id, references, spaceOf(isRealIn(program, delivery.event.isLive))),
    ),
  );
  const sold = traces.find(({ transactionId }) => transactionId !== undefined);
  const sale = sold && (await soleSaleOf(deps, sold));
  if (sale) deps.logContext.programId = sale.programId;
  const waiting = (sold ? [sold] : traces).flatMap((trace) => trace.waiting);
  if (reversal && isOneTooMany(reversal, sale, waiting)) return 'too_many_reversals';
  if (sold && sale) {
    await updateSale(deps, sold, sale, { reversal, paymentIntentId }, [delivery.processed]);
    return undefined;
  }
  const complete = traces.find(isComplete);
  if (report.kind === 'link' && report.reason !== undefined && !complete) {
    // The event is not marked as processed, because processing it a second time would change nothing.
    await inChunks(
      deps,
      traces.flatMap((trace) => linkIdsOfPayment(trace, now)),
    );
    return report.reason;
  }
  const writes = traces.flatMap((trace) => parkPayment(trace, { reversal, paymentIntentId }, now));
  await inChunks(deps, complete ? writes : [...writes, delivery.processed]);
  return complete ? retryUnattributedPayment(deps, delivery, complete) : undefined;
}

/** Whether an invoice that waits for a second id of its payment now has it. */
const isComplete = ({ keptBy, items }: PaymentTrace): boolean => keptBy !== undefined && items.size > 1;

/**
 * Splits writes into transactions, because an account may have many programs and DynamoDB allows 100 writes per
 * transaction. The writes keep their order, so the last one, which marks the event as processed, is in the last
 * transaction.
 */
async function inChunks({ table }: Deps, writes: readonly Write[]): Promise<void> {
  for (let at = 0; at < writes.length; at += MOST_WRITES) await table.transact(writes.slice(at, at + MOST_WRITES));
}
