import { bodyOf } from '#lib/apps/client/field-names.ts';
import type { Warning } from '#lib/apps/client/referral-error.ts';
import type { WireRequest } from '#lib/apps/client/transport.ts';

/** Money that went back to the customer. */
export interface Refund {
  /** The `invoiceId` of the sale, or another id of its payment. */
  readonly invoiceId: string;
  /**
   * In the smallest currency unit: of this refund when you name it by `refundId`, else the total refunded so far.
   * Without it the whole sale is refunded.
   */
  readonly refundAmountCents?: number;
  /** Your own id of this refund, 1 to 255 characters. Each counts once, and the total is their sum. */
  readonly refundId?: string;
  /**
   * The amount, 0 included, replaces what is recorded of this `refundId`, or without one the total. A lower total gives
   * the commission back.
   */
  readonly correction?: boolean;
  /** `refund` unless given. */
  readonly reason?: 'refund' | 'chargeback';
  /** Free text. */
  readonly refundReason?: string;
}

export interface RecordedRefund {
  readonly success: true;
  /** What became of the commission. */
  readonly status: 'reversed' | 'refunded' | 'corrected' | 'skipped' | 'no_commission';
  readonly sale_id: number;
  readonly commission_id: number | null;
  /** Total so far. */
  readonly refunded_amount_cents?: number;
  /** What this call took from the commission; negative where a correction gave it back. */
  readonly deduction_cents?: number;
  /** `chargeback` when the call said so; of a skipped refund, why nothing was deducted. */
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
