import type { RefundReason } from '#lib/service/earnings/commissions/commission.ts';

/** The totals of the refund calls for a sale. */
export interface ApiRefunds {
  /** The highest total that refund calls without refund id have sent, or the total that a correction has set. */
  readonly apiCents: number;
  /** The sum of refunds with ids, after corrections. Undefined if no call had a refund id. */
  readonly namedCents?: number;
  /** How far a correction of the total lowered it below the sum of refunds with ids. Undefined means zero. */
  readonly takenBackCents?: number;
}

/** A recorded refund with an id. */
export interface NamedRefund {
  readonly amountCents: number;
  readonly reason: RefundReason;
}

/** The amount sent by one refund call. */
export interface ApiRefundCall {
  /** The amount of this refund if it has an id; otherwise the total of all refunds of the sale so far. */
  readonly amountCents: number;
  readonly refundId?: string;
  /** The refund that is already recorded with this id. Undefined if there is none. */
  readonly recorded?: NamedRefund;
  /** Set if the amount replaces the recorded one and may be lower. */
  readonly isCorrection?: boolean;
}

/** The refunded total of a sale: the highest total that was sent, or the sum of refunds with ids if that is higher. */
export const apiTotalCents = ({ apiCents, namedCents = 0, takenBackCents = 0 }: ApiRefunds): number =>
  Math.max(apiCents, namedCents - takenBackCents);

/** The totals after one more call. Undefined if the call changes nothing. */
export function withApiRefund(before: ApiRefunds, call: ApiRefundCall): ApiRefunds | undefined {
  const { amountCents, refundId, recorded, isCorrection } = call;
  const { apiCents, namedCents, takenBackCents = 0 } = before;
  if (refundId !== undefined) {
    if (recorded?.amountCents === amountCents) return undefined;
    const step = amountCents - (recorded?.amountCents ?? 0);
    // `takenBackCents` is how far a correction has set the total below the sum of refunds with ids. If one of these
    // refunds is lowered later, that difference shrinks by the same amount. Otherwise the total would fall twice.
    const left = Math.max(0, takenBackCents + Math.min(0, step));
    return { apiCents, namedCents: (namedCents ?? 0) + step, takenBackCents: left || undefined };
  }
  if (!isCorrection) return amountCents > apiCents ? { ...before, apiCents: amountCents } : undefined;
  const takenBack = Math.max(0, (namedCents ?? 0) - amountCents);
  // A total that does not exceed the sum of refunds with ids is not stored, because those refunds may be corrected
  // later and the total must then follow them.
  const total = amountCents > (namedCents ?? 0) ? amountCents : 0;
  if (total === apiCents && takenBack === takenBackCents) return undefined;
  return { apiCents: total, namedCents, takenBackCents: takenBack || undefined };
}
