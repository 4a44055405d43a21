export type CommissionType = 'percent' | 'fixed' | 'recurring_percent' | 'recurring_fixed';

export type PayoutLineStatus = 'recorded' | 'sent' | 'paid' | 'failed' | 'void';

/** A partner's commission. */
export type WebhookCommission = WebhookSaleCommission | WebhookLeadCommission | WebhookManualCommission;

interface Common {
  readonly id: number;
  readonly partner_id: number;
  readonly partner_name: string | null;
  readonly status: 'held' | 'pending' | 'approved' | 'rejected' | 'paid' | 'reversed';
  /** Negative only for a deduction by hand. */
  readonly amount_cents: number;
  readonly deducted_cents: number;
  readonly payable_cents: number;
  readonly paid_out_cents: number;
  readonly currency: string;
  readonly refund_state: 'none' | 'partial' | 'full';
  readonly reversal_reason: 'refund' | 'chargeback' | 'duplicate' | null;
  readonly rejection_reason: string | null;
  /** Whether a person reopened it, so that only a person approves it. */
  readonly by_hand: boolean;
  /** Whether the commission was reduced after it was paid. */
  readonly needs_review: boolean;
  /**
   * The payment time of the commission's sale. Without a sale, the time that decides on which day the commission
   * counts.
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
  /** The status of the payout's line. */
  readonly payout_status: PayoutLineStatus | null;
  readonly created_at: string;
  /** Number of changes, counting the creation as the first. The highest version is the latest. */
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
  /** The reason in words why the rule matched. */
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
  /** Percent, or units of the currency: 50 is 50.00. */
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

/** Commission for a settled lead. */
export interface WebhookLeadCommission extends Common, WithoutSale {
  readonly kind: 'lead';
  readonly click_id: string;
  readonly lead_id: number;
  readonly commission_type: 'lead';
  readonly terms: TermsVersion;
  readonly reason: null;
  readonly external_id: null;
}

/** Commission that an owner granted or deducted. */
export interface WebhookManualCommission extends Common, WithoutSale {
  readonly kind: 'manual';
  readonly click_id: null;
  readonly lead_id: null;
  readonly commission_type: 'manual';
  readonly terms: null;
  /** The owner's reason for granting the commission. */
  readonly reason: string;
  /** The owner's own id of it. */
  readonly external_id: string | null;
}
