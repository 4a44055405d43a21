import type { RefundReason } from '#lib/service/earnings/commissions/commission.ts';
import type { Actor } from '#lib/service/ground/changes/audit.ts';
import { MATCHES_NOTHING } from '#lib/service/ground/values/identifier.ts';
import { refundOutcome, type RefundOutcome } from '#lib/service/conversions/refunds/refund.ts';
import { saleToRefundNotFound } from '#lib/service/ground/values/refusals.ts';
import type { Sale } from '#lib/service/conversions/sales/sale.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findNamedRefund, namedRefundWrite } from '#lib/service/conversions/refunds/named-refunds-items.ts';
import { saleOfPayment } from '#lib/service/conversions/payments/payments-items.ts';
import { findCommission, findSale } from '#lib/service/conversions/sales/sales-items.ts';
import { refundWrites } from '#lib/service/conversions/refunds/refunds-items.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';
import { saleThatCounts } from '#lib/service/conversions/payments/duplicate-sales.ts';
import { retryOnConflict } from '#lib/service/ground/table/retry-on-conflict.ts';

export interface RefundRequest {
  readonly transactionId: string;
  readonly reason: RefundReason;
  readonly refundReason?: string;
  /**
   * The amount of this refund if it has an id; otherwise the total of all refunds of the sale so far. Undefined means
   * the whole amount of the sale.
   */
  readonly amountCents?: number;
  readonly refundId?: string;
  /** Set if the amount replaces the recorded one and may be lower. */
  readonly isCorrection?: boolean;
}

/** The sender of a refund. */
interface Sender {
  readonly actor: Actor;
  /** Returns writes that are added to the refund's transaction. */
  readonly writes?: (before: Sale, after: Sale) => readonly Write[];
}

export interface RecordedRefund {
  readonly saleId: number;
  readonly commissionId: number | null;
  readonly outcome: RefundOutcome;
}

const BY_API: Sender = { actor: 'api' };

/**
 * Records a refund or chargeback and deducts its share of the commission. A correction that lowers the refunded total
 * restores a part of the commission. If refunds of one sale race, each is decided again on the result of the previous
 * one.
 * @throws Refusal if the program has no such sale, or the amount is not possible
 */
export function recordRefund(
  deps: Deps,
  request: RefundRequest,
  programId: number,
  sender = BY_API,
): Promise<RecordedRefund> {
  deps.logContext.programId = programId;
  return retryOnConflict(deps, () => decideRefund(deps, request, programId, sender));
}

/** Starts the reads of a refund. */
export const readAheadOfRefund = ({ table }: Deps, { transactionId, refundId }: RefundRequest): Promise<unknown>[] => [
  findSale(table, transactionId),
  findCommission(table, transactionId),
  findNamedRefund(table, transactionId, refundId),
];

async function decideRefund(
  deps: Deps,
  request: RefundRequest,
  programId: number,
  sender: Sender,
): Promise<RecordedRefund> {
  const { table, now } = deps;
  const { transactionId, refundId, refundReason } = request;
  const [sale, commission, recorded, id] = await Promise.all([
    findSale(table, transactionId),
    findCommission(table, transactionId),
    findNamedRefund(table, transactionId, refundId),
    deps.ids.take(table),
  ]);
  if (sale?.programId !== programId) {
    const name = await nameInProgram(deps, transactionId, programId);
    return decideRefund(deps, { ...request, transactionId: name }, programId, sender);
  }
  if (sale.duplicateOf !== undefined) {
    const { transactionId: counting } = await saleThatCounts(table, sale);
    if (counting !== transactionId)
      return decideRefund(deps, { ...request, transactionId: counting }, programId, sender);
  }
  const { amountCents = sale.amountCents, reason } = request;
  const outcome = refundOutcome(sale, commission, { ...request, recorded, actor: sender.actor, at: now });
  if (outcome.after) {
    const events = [{ id, refundReason }];
    await table.transact([
      ...refundWrites({ sale, commission }, outcome.after, events),
      ...(refundId === undefined ? [] : [namedRefundWrite(transactionId, refundId, recorded, { amountCents, reason })]),
      ...(sender.writes?.(sale, outcome.after.sale) ?? []),
    ]);
  }
  return { saleId: sale.id, commissionId: commission?.id ?? null, outcome };
}

/**
 * Returns the transaction id of a sale that a refund names by another id. This may be another id of the sale's payment.
 * It may also be the brand's own id, if another program already uses that id and a retry therefore recorded the sale
 * under a new one.
 * @throws Refusal if the program has no such sale
 */
async function nameInProgram({ table }: Deps, sent: string, programId: number): Promise<string> {
  const paid = sent === MATCHES_NOTHING ? undefined : await saleOfPayment(table, programId, sent);
  const sale = await findSale(table, paid);
  // A subscription has many payments, so its id cannot identify one.
  if (sale?.programId !== programId || sale.subscriptionId === sent) throw saleToRefundNotFound();
  return sale.transactionId;
}
