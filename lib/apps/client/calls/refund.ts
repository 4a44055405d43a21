import { bodyOf } from '#lib/apps/client/errors/field-names.ts';
import type { Warning } from '#lib/apps/client/errors/referral-error.ts';
import type { WireRequest } from '#lib/apps/client/calls/transport.ts';

/** Money returned to the customer. */
export interface Refund {
  /** The `invoiceId` of the sale, or another id of its payment. */
  readonly invoiceId: string;
  /**
   * An amount in the smallest currency unit: that of this refund if you give a `refundId`, otherwise the total refunded
   * so far. If undefined, the whole sale is refunded.
   */
  readonly refundAmountCents?: number;
  /** Your own id of this refund, 1 to 255 characters. Each id counts once, and the total is the sum of all refunds. */
  readonly refundId?: string;
  /**
   * The amount, which may be 0, replaces the one recorded for this `refundId`, or the total if there is none. A lower
   * total restores commission.
   */
  readonly correction?: boolean;
  /** Why the money was returned. Default: `refund`. */
  readonly reason?: 'refund' | 'chargeback';
  /** Free text that explains the refund. */
  readonly refundReason?: string;
}

export interface RecordedRefund {
  readonly success: true;
  /** The effect on the commission. */
  readonly status: 'reversed' | 'refunded' | 'corrected' | 'skipped' | 'no_commission';
  readonly sale_id: number;
  readonly commission_id: number | null;
  /** Total refunded so far. */
  readonly refunded_amount_cents?: number;
  /** Amount that this call deducted from the commission; negative if a correction restored some. */
  readonly deduction_cents?: number;
  /** `chargeback` if the call said so; for a skipped refund, why nothing was deducted. */
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
