import { bodyOf } from '#lib/apps/client/errors/field-names.ts';
import type { Warning } from '#lib/apps/client/errors/referral-error.ts';
import type { WireRequest } from '#lib/apps/client/calls/transport.ts';

/** Money returned to the customer. */
export interface Refund {
  /** The `invoiceId` of the sale, or another id of the same payment. */
  readonly invoiceId: string;
  /**
   * In the smallest currency unit. With a `refundId`, the amount of this refund; without one, the total refunded so
   * far. If undefined, the whole sale is refunded.
   */
  readonly refundAmountCents?: number;
  /** Your own id of this refund, 1 to 255 characters. Each id counts once, and the total is the sum of all refunds. */
  readonly refundId?: string;
  /**
   * If true, the amount replaces an earlier one: the amount of the refund with this `refundId` or, without a
   * `refundId`, the total. The amount may be 0. A lower total restores commission.
   */
  readonly correction?: boolean;
  /** Who returned the money: `refund` if you did, `chargeback` if the buyer's bank did. Default: `refund`. */
  readonly reason?: 'refund' | 'chargeback';
  /** Free text that explains the refund. */
  readonly refundReason?: string;
}

export interface RecordedRefund {
  readonly success: true;
  /** What the refund did to the commission. */
  readonly status: 'reversed' | 'refunded' | 'corrected' | 'skipped' | 'no_commission';
  readonly sale_id: number;
  readonly commission_id: number | null;
  /** Total refunded so far. */
  readonly refunded_amount_cents?: number;
  /**
   * The amount that this call deducted from the commission. It is negative if a correction restored some commission.
   */
  readonly deduction_cents?: number;
  /** For a chargeback, `chargeback`. For a skipped refund, why nothing was deducted. */
  readonly reason?:
    | 'chargeback'
    | 'already reversed'
    | 'already refunded'
    | 'commission rejected'
    | 'reported by the processor';
  readonly message: string;
  readonly warnings?: readonly Warning[];
}

export const refundNames = {
  invoiceId: 'transaction_id',
  refundAmountCents: 'refund_amount_cents',
  refundId: 'refund_id',
  correction: 'correction',
  reason: 'reason',
  refundReason: 'refund_reason',
} as const satisfies Readonly<Record<keyof Refund, string>>;

export const refundRequest = (refund: Refund): WireRequest => ({
  method: 'POST',
  path: '/api/v1/track/refund',
  body: bodyOf(refundNames, refund),
});
