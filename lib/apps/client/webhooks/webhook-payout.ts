import type { PayoutLineStatus } from '#lib/apps/client/webhooks/webhook-commission.ts';

export interface WebhookPayout {
  readonly id: number;
  readonly status: 'open' | 'made';
  readonly through: string | null;
  readonly reference: string | null;
  readonly created_by: string;
  readonly created_at: string;
  readonly items: readonly {
    readonly partner_id: number;
    readonly partner_name: string | null;
    readonly partner_email: string | null;
    readonly currency: string;
    readonly amount_cents: number;
  }[];
  /** The amounts that the payout pays, by currency code. */
  readonly totals: Readonly<Record<string, number>>;
  /** Number of lines. If it exceeds 1,000, `items` is empty. */
  readonly lines: number;
  readonly by_status: Readonly<
    Record<PayoutLineStatus, { readonly lines: number; readonly totals: Readonly<Record<string, number>> }>
  >;
  /** How many of the payout's commissions are processed; null when the payout is complete. */
  readonly progress: { readonly commissions: number; readonly of: number } | null;
}

/** What a payout pays to one partner in one currency. */
export interface WebhookPayoutLine {
  readonly id: string;
  /** Identifies payout and line, such as `9-5-USD`. Use it as the reference of the payment. */
  readonly number: string;
  readonly payout_id: number;
  readonly partner_id: number;
  readonly partner_name: string | null;
  readonly partner_email: string | null;
  readonly currency: string;
  readonly amount_cents: number;
  readonly commissions: number;
  readonly status: PayoutLineStatus;
  readonly method: 'bank' | 'paypal' | 'wise' | 'other' | null;
  readonly masked: string | null;
  readonly reference: string | null;
  /** Why the line failed or is void. */
  readonly reason: string | null;
  /** Whether the commissions of a failed or void line are still being made due again. */
  readonly returning: boolean;
  readonly recorded_at: string;
  readonly sent_at: string | null;
  readonly paid_at: string | null;
  readonly ended_at: string | null;
}
