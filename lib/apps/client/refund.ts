import { bodyOf } from '#lib/apps/client/field-names.ts';
import type { Warning } from '#lib/apps/client/referral-error.ts';
import type { WireRequest } from '#lib/apps/client/transport.ts';

/** Money that went back to the customer. */
export interface Refund {
  /** The `invoiceId` of the sale. */
  readonly invoiceId: string;
  /** Total refunded so far, in the smallest currency unit; without it the whole sale is refunded. */
  readonly refundAmountCents?: number;
  /** `refund` unless given. */
  readonly reason?: 'refund' | 'chargeback';
  /** Free text. */
  readonly refundReason?: string;
}

export interface RecordedRefund {
  readonly success: true;
  /** What became of the commission. */
  readonly status: 'reversed' | 'refunded' | 'skipped' | 'no_commission';
  readonly sale_id: number;
  readonly commission_id: number | null;
  /** Total so far. */
  readonly refunded_amount_cents?: number;
  /** What this call took from the commission. */
  readonly deduction_cents?: number;
  /** `chargeback` when the call said so; of a skipped refund, why nothing was deducted. */
  readonly reason?: 'chargeback' | 'already reversed' | 'already refunded' | 'commission rejected';
  readonly message: string;
  readonly warnings?: readonly Warning[];
}

export const refundNames = {
  invoiceId: 'transaction_id',
  refundAmountCents: 'refund_amount_cents',
  reason: 'reason',
  refundReason: 'refund_reason',
} as const satisfies Readonly<Record<keyof Refund, string>>;

export const refundRequest = (refund: Refund): WireRequest => ({
  method: 'POST',
  path: '/api/v1/track/refund',
  body: bodyOf(refundNames, refund),
});
