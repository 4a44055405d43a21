import type { RefundReason } from '#lib/service/earnings/commissions/commission.ts';

/** The totals of the refund calls for a sale. */
export interface ApiRefunds {
  /** The highest total of calls without refund id, or the total set by a correction. */
  readonly apiCents: number;
  /** The sum of refunds with ids, after corrections. Undefined if no call had a refund id. */
  readonly namedCents?: number;
  /** The part of the sum of refunds with ids that a correction of the total took back. Undefined means nothing. */
  readonly takenBackCents?: number;
}

/** A recorded refund with an id. */
export interface NamedRefund {
  readonly amountCents: number;
  readonly reason: RefundReason;
}

/** The amount sent by one refund call. */
export interface ApiRefundCall {
  /** The amount of this refund if it has an id, otherwise the total so far. */
  readonly amountCents: number;
  readonly refundId?: string;
  /** The recorded refund with this id. Undefined if there is none. */
  readonly recorded?: NamedRefund;
  /** Set if the amount replaces the recorded one and may be lower. */
  readonly isCorrection?: boolean;
}

/** The refunded total: the higher one of the sent totals and the sum of refunds with ids. */
export const apiTotalCents = ({ apiCents, namedCents = 0, takenBackCents = 0 }: ApiRefunds): number =>
  Math.max(apiCents, namedCents - takenBackCents);

/** The totals after one more call. Undefined if the call changes nothing. */
export function withApiRefund(before: ApiRefunds, call: ApiRefundCall): ApiRefunds | undefined {
  const { amountCents, refundId, recorded, isCorrection } = call;
  const { apiCents, namedCents, takenBackCents = 0 } = before;
  if (refundId !== undefined) {
    if (recorded?.amountCents === amountCents) return undefined;
    const step = amountCents - (recorded?.amountCents ?? 0);
    // Lowering a single refund after a correction of the total lowers the amount that the correction took back.
    const left = Math.max(0, takenBackCents + Math.min(0, step));
    return { apiCents, namedCents: (namedCents ?? 0) + step, takenBackCents: left || undefined };
  }
  if (!isCorrection) return amountCents > apiCents ? { ...before, apiCents: amountCents } : undefined;
  const takenBack = Math.max(0, (namedCents ?? 0) - amountCents);
  // An amount covered by refunds with ids is not stored as a total, because those refunds may be corrected later.
  const total = amountCents > (namedCents ?? 0) ? amountCents : 0;
  if (total === apiCents && takenBack === takenBackCents) return undefined;
  return { apiCents: total, namedCents, takenBackCents: takenBack || undefined };
}
