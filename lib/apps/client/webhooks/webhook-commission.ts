export type CommissionType = 'percent' | 'fixed' | 'recurring_percent' | 'recurring_fixed';

export type PayoutLineStatus = 'recorded' | 'sent' | 'paid' | 'failed' | 'void';

/** A partner's commission. */
export type WebhookCommission = WebhookSaleCommission | WebhookLeadCommission | WebhookManualCommission;

interface Common {
  readonly id: number;
  readonly partner_id: number;
  readonly partner_name: string | null;
  readonly status: 'held' | 'pending' | 'approved' | 'rejected' | 'paid' | 'reversed';
  /** The amount. It is negative only if an owner deducted it manually. */
  readonly amount_cents: number;
  readonly deducted_cents: number;
  readonly payable_cents: number;
  readonly paid_out_cents: number;
  readonly currency: string;
  readonly refund_state: 'none' | 'partial' | 'full';
  readonly reversal_reason: 'refund' | 'chargeback' | 'duplicate' | null;
  readonly rejection_reason: string | null;
  /** Whether a person reopened the commission after its rejection. Then it is only approved if a person approves it. */
  readonly by_hand: boolean;
  /** Whether the commission was reduced after it was paid, so that a person should review it. */
  readonly needs_review: boolean;
  /**
   * When the sale was paid. For a commission without a sale, the time that decides in which day's figures it counts.
   */
  readonly occurred_at: string;
  readonly hold_until: string;
  /** Rules of the program that matched when the commission was created. */
  readonly flags: readonly WebhookFlag[];
  readonly held_at: string | null;
  readonly released_at: string | null;
  readonly approved_at: string | null;
  readonly paid_at: string | null;
  readonly reversed_at: string | null;
  readonly payout_id: number | null;
  /** The status of the line that pays the commission in its payout; null without a payout. */
  readonly payout_status: PayoutLineStatus | null;
  readonly created_at: string;
  /** Increases with each change, beginning at 1. Of several events, the one with the highest version is the latest. */
  readonly version: number;
}

interface WebhookFlag {
  readonly rule:
    | 'self_referral'
    | 'same_domain'
    | 'disposable_email'
    | 'paid_ad'
    | 'banned_referrer'
    | 'velocity'
    | 'address_only'
    | 'shared_click';
  readonly at: string;
  /** Why the rule matched, in words. */
  readonly evidence: string;
}

interface TermsVersion {
  readonly version: number;
  readonly from: 'program' | 'group' | 'partner';
  readonly name: string | null;
}

export interface WebhookSaleCommission extends Common {
  readonly kind: 'sale';
  readonly click_id: string;
  readonly sale_id: number;
  readonly transaction_id: string;
  readonly lead_id: null;
  readonly commission_type: CommissionType;
  /** In percent, or for a fixed amount in currency units: 50 is 50.00. */
  readonly commission_rate: number;
  readonly terms: TermsVersion;
  readonly base_amount_cents: number;
  readonly platform_fee: {
    readonly amount_cents: number;
    readonly reduced_cents: number;
    readonly bps: number;
    readonly currency: string;
  };
  readonly reason: null;
  readonly external_id: null;
}

interface WithoutSale {
  readonly sale_id: null;
  readonly transaction_id: null;
  readonly commission_rate: null;
  readonly base_amount_cents: null;
  readonly platform_fee: null;
}

/** A commission for a settled lead. */
export interface WebhookLeadCommission extends Common, WithoutSale {
  readonly kind: 'lead';
  readonly click_id: string;
  readonly lead_id: number;
  readonly commission_type: 'lead';
  readonly terms: TermsVersion;
  readonly reason: null;
  readonly external_id: null;
}

/** A commission that an owner granted or deducted manually. */
export interface WebhookManualCommission extends Common, WithoutSale {
  readonly kind: 'manual';
  readonly click_id: null;
  readonly lead_id: null;
  readonly commission_type: 'manual';
  readonly terms: null;
  /** Why the owner granted or deducted the commission. */
  readonly reason: string;
  /** The owner's own id of the commission. */
  readonly external_id: string | null;
}
