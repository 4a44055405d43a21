/** What the dashboard's API answers with (contracts 9, 13, 15), as it spells it. */

type Role = 'owner' | 'member';

interface Account {
  readonly id: number;
  readonly email: string;
  readonly name: string;
}

export interface Workspace {
  readonly id: number;
  readonly name: string;
  readonly role: Role;
}

/** To a workspace with this name; it waits for an answer. */
export interface Invitation {
  readonly workspace_id: number;
  readonly name: string;
  readonly role: Role;
  readonly invited_by: string | null;
  readonly invited_at: string;
}

export interface Me {
  readonly account: Account;
  readonly workspace: Workspace | null;
  readonly invitations: readonly Invitation[];
  readonly token_expires_at: string;
}

/** A sign-in of one's own that is in force. What was not noted of older ones is null. */
export interface LoginToken {
  readonly id: string;
  readonly kind: 'cli' | 'dashboard' | null;
  readonly created_at: string;
  readonly last_used_on: string | null;
  readonly address: string | null;
  /** The one that asks. */
  readonly current: boolean;
}

export interface Member {
  readonly account_id: number | null;
  readonly email: string;
  readonly name: string | null;
  readonly role: Role;
  readonly status: 'active' | 'pending';
  readonly joined_at: string | null;
}

export type CommissionType = 'percent' | 'fixed' | 'recurring_percent' | 'recurring_fixed';

/** What can be said of a program when it is created, and changed later. */
export interface ProgramFields {
  readonly name: string;
  readonly domain: string;
  readonly commission_type: CommissionType;
  readonly commission_rate: number;
  readonly duration_months: number | null;
  readonly attribution_window_days: number;
  readonly lead_auth: 'server_required' | 'browser_allowed';
  readonly allowed_origins: readonly string[];
  readonly hold_period_days: number;
  readonly auto_approve: boolean;
}

export interface Program extends ProgramFields {
  readonly id: number;
  readonly slug: string;
  readonly status: 'active' | 'paused';
  readonly currency: string;
  readonly api_token_masked: string;
  readonly key_rotated_at: string | null;
  /** To the hour. */
  readonly key_last_used_at: string | null;
  readonly processor: { readonly connected: boolean; readonly mode: 'connect' | 'direct' | null };
  readonly created_at: string;
}

/** A key that must be replaced. */
export interface RotationWarning {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  readonly docs_url: string;
}

export interface GeneratedKey {
  readonly api_key: string;
  readonly api_token_masked: string;
}

interface PartnerAmounts {
  readonly revenue_cents: number;
  readonly commission_cents: number;
  readonly paid_out_cents: number;
}

export interface Partner {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly status: 'active' | 'removed';
  readonly links: readonly string[];
  readonly clicks: number;
  readonly leads: number;
  readonly sales: number;
  readonly amounts: Readonly<Record<string, PartnerAmounts>>;
  readonly created_at: string;
}

export interface Link {
  readonly short_link: string;
  readonly url: string;
  readonly destination_url: string;
  readonly partner_id: number | null;
  readonly partner_name: string | null;
  readonly status: 'active' | 'inactive';
  readonly clicks: number;
  readonly leads: number;
  readonly sales: number;
  readonly last_clicked_at: string | null;
}

export type StepName = 'click' | 'lead' | 'sale';
export type GateName = 'profile' | 'economics' | 'payout' | 'tracking' | 'live';
export type Verdict = Readonly<Record<StepName, 'attributed' | 'wrong_partner' | 'unattributed' | 'pending'>>;

interface Gate {
  readonly status: 'pass' | 'fail' | 'unknown';
  readonly next_action?: string;
  readonly mode?: 'stripe' | 's2s' | 'manual';
}

export interface Readiness {
  readonly state: 'draft' | 'configuring' | 'ready' | 'integration_verified' | 'live_verified';
  readonly integration_verified: boolean;
  readonly blocker: GateName | null;
  readonly gates: Readonly<Record<GateName, Gate>>;
  readonly checklist: Readonly<Record<StepName, 'complete' | 'pending'>>;
  readonly last_event_at: Readonly<Record<StepName, string | null>>;
  readonly counts_24h: { readonly clicks: number; readonly leads: number; readonly sales: number };
  readonly key_rotated_at: string | null;
  readonly poll: { readonly retry_after_seconds: number };
}

export interface ChainResult {
  readonly verdict: Verdict;
  readonly attributed: boolean;
}

export interface Processor {
  readonly connected: boolean;
  readonly mode: 'connect' | 'direct' | null;
  readonly account_id: string | null;
  readonly charges_enabled: boolean;
  readonly payouts_enabled: boolean;
  readonly details_submitted: boolean;
  readonly livemode: boolean | null;
  readonly connected_at: string | null;
  readonly webhook_url: string;
  readonly signing_secret_set: boolean;
  readonly last_delivery: { readonly at: string; readonly type: string; readonly outcome: string } | null;
  readonly last_bad_signature_at: string | null;
}

export interface DayAmounts {
  readonly revenue_cents: number;
  readonly refunded_cents: number;
  readonly commission_cents: number;
  readonly platform_fee_cents: number;
}

export interface Totals {
  readonly clicks: number;
  readonly leads: number;
  readonly sales: number;
  readonly amounts: Readonly<Record<string, DayAmounts>>;
}

interface Day extends Totals {
  readonly date: string;
}

export interface Performance {
  readonly from: string;
  readonly to: string;
  readonly days: readonly Day[];
  readonly totals: Totals;
  readonly previous: { readonly from: string; readonly to: string; readonly totals: Totals };
}

interface AnyEvent {
  readonly id: number;
  readonly created_at: string;
  readonly is_test: boolean;
  readonly partner_name: string | null;
  readonly click_id: string | null;
  readonly customer_key: string | null;
}

type PaymentStatus = 'paid' | 'partially_refunded' | 'refunded' | 'disputed';

export type TrackedEvent =
  | (AnyEvent & { readonly type: 'click'; readonly short_link: string | null; readonly first: boolean })
  | (AnyEvent & {
      readonly type: 'lead';
      readonly state: 'provisional' | 'settled' | null;
      readonly mode: 'server' | 'browser' | 'processor';
      readonly email_masked: string | null;
    })
  | (AnyEvent & {
      readonly type: 'sale';
      readonly transaction_id: string;
      readonly amount_cents: number;
      readonly currency: string;
      readonly payment_status: PaymentStatus;
    })
  | (AnyEvent & {
      readonly type: 'refund';
      readonly transaction_id: string;
      readonly reason: 'refund' | 'chargeback' | 'dispute_won';
      readonly amount_cents: number;
      readonly deduction_cents: number;
    });

export type CommissionStatus = 'pending' | 'approved' | 'paid' | 'rejected' | 'reversed';

export interface Commission {
  readonly id: number;
  readonly partner_id: number;
  readonly partner_name: string | null;
  readonly transaction_id: string;
  readonly status: CommissionStatus;
  readonly commission_type: CommissionType;
  readonly commission_rate: number;
  readonly base_amount_cents: number;
  readonly amount_cents: number;
  readonly deducted_cents: number;
  readonly payable_cents: number;
  readonly paid_out_cents: number;
  readonly currency: string;
  readonly rejection_reason: string | null;
  readonly reversal_reason: 'refund' | 'chargeback' | null;
  readonly needs_review: boolean;
  readonly platform_fee: { readonly amount_cents: number; readonly reduced_cents: number; readonly currency: string };
  readonly occurred_at: string;
  readonly hold_until: string;
}

export interface Payout {
  readonly id: number;
  readonly items: readonly {
    readonly partner_id: number;
    readonly partner_name: string | null;
    readonly partner_email: string | null;
    readonly currency: string;
    readonly amount_cents: number;
    readonly commission_ids: readonly number[];
  }[];
  readonly totals: Readonly<Record<string, number>>;
}

export interface SaleExplanation {
  readonly sale: {
    readonly transaction_id: string;
    readonly amount_cents: number;
    readonly currency: string;
    readonly source: 'api' | 'processor';
    readonly is_recurring: boolean;
    readonly is_test: boolean;
    readonly payment_status: PaymentStatus;
    readonly refunded_amount_cents: number;
    readonly occurred_at: string;
  };
  readonly attribution: {
    readonly resolved_by: string | null;
    readonly partner: { readonly id: number; readonly name: string | null; readonly short_link: string } | null;
    readonly text: string;
  };
  readonly customer: {
    readonly click_id: string;
    readonly customer_key: string | null;
    readonly email_masked: string | null;
    readonly first_click_at: string;
    readonly signup_at: string | null;
  } | null;
  readonly window: {
    readonly checked: boolean;
    readonly compared_with: 'signup' | 'payment' | null;
    readonly age_days: number | null;
    readonly window_days: number | null;
  } | null;
  readonly commission: Commission | null;
  readonly timeline: readonly {
    readonly at: string;
    readonly kind: 'click' | 'lead' | 'sale' | 'refund' | 'commission' | 'customer';
    readonly text: string;
  }[];
}
