import type { RefundReason } from '#lib/domain/commission.ts';
import { refundOutcome, type RefundOutcome } from '#lib/domain/refund.ts';
import { saleToRefundNotFound } from '#lib/domain/refusals.ts';
import { idInProgram } from '#lib/domain/unsold-payment.ts';
import type { Deps } from '#lib/service/deps.ts';
import { findCommission, findSale } from '#lib/service/store/sales.ts';
import { refundWrites } from '#lib/service/store/refunds.ts';
import { retryOnConflict } from '#lib/service/use-cases/retry-on-conflict.ts';

export interface RefundRequest {
  readonly transactionId: string;
  readonly reason: RefundReason;
  readonly refundReason?: string;
  /** Total refunded so far; absent or 0 = the whole sale. */
  readonly totalCents?: number;
}

export interface RecordedRefund {
  readonly saleId: number;
  readonly commissionId: number | null;
  readonly outcome: RefundOutcome;
}

/**
 * Records a refund or chargeback and deducts its share of the commission. Refunds of one sale are serialised: each is
 * decided on the totals that the one before it left.
 * @throws Refusal when the program has no such sale
 */
export function recordRefund(deps: Deps, request: RefundRequest, programId: number): Promise<RecordedRefund> {
  deps.logContext.programId = programId;
  return retryOnConflict(deps, () => decideRefund(deps, request, programId));
}

/** Starts the reads of a refund. */
export const readAheadOfRefund = ({ table }: Deps, { transactionId }: RefundRequest): Promise<unknown>[] => [
  findSale(table, transactionId),
  findCommission(table, transactionId),
];

async function decideRefund(deps: Deps, request: RefundRequest, programId: number): Promise<RecordedRefund> {
  const { table, now } = deps;
  const [sale, commission, id] = await Promise.all([
    findSale(table, request.transactionId),
    findCommission(table, request.transactionId),
    deps.ids.take(table),
  ]);
  if (sale?.programId !== programId) return refundInProgram(deps, request, programId, sale !== undefined);
  const outcome = refundOutcome(sale, commission, { ...request, actor: 'api', at: now });
  if (outcome.after) {
    const events = [{ id, refundReason: request.refundReason }];
    await table.transact(refundWrites({ sale, commission }, outcome.after, events));
  }
  return { saleId: sale.id, commissionId: commission?.id ?? null, outcome };
}

/**
 * Another program has the id of the sale, so it may have been recorded under the id that a retry gives it. The brand's
 * server goes on naming the id that it knows.
 */
async function refundInProgram(
  deps: Deps,
  request: RefundRequest,
  programId: number,
  isUsedElsewhere: boolean,
): Promise<RecordedRefund> {
  const transactionId = idInProgram(programId, request.transactionId);
  const sale = isUsedElsewhere ? await findSale(deps.table, transactionId) : undefined;
  if (sale?.programId !== programId) throw saleToRefundNotFound();
  return decideRefund(deps, { ...request, transactionId }, programId);
}
