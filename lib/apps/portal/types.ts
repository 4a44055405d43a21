// PLACEHOLDER until the wire has them.
import type { TermsVersion } from '#lib/wire/terms.ts';
import type { CommissionStatus } from '#lib/wire/commission.ts';
export interface JoinProgram {
  readonly program_id: number;
  readonly name: string;
  readonly domain: string;
  readonly commission: string;
  readonly window_days: number;
  readonly hold_period_days: number;
  readonly join: 'apply' | 'open';
  readonly terms: { readonly version: number; readonly text: string } | null;
}
export interface Balance {
  readonly pending_cents: number;
  readonly approved_cents: number;
  readonly paid_cents: number;
  readonly held_cents: number;
  readonly next: readonly { readonly on: string; readonly amount_cents: number }[];
}
export type Balances = Readonly<Record<string, Balance>>;
export interface PortalLink {
  readonly short_link: string;
  readonly url: string;
  readonly destination_url: string;
  readonly status: 'active' | 'inactive';
  readonly clicks: number;
  readonly leads: number;
  readonly sales: number;
  readonly amounts: Readonly<Record<string, { readonly revenue_cents: number; readonly commission_cents: number }>>;
}
export interface PortalCode {
  readonly code: string;
  readonly status: 'active' | 'disabled';
  readonly redemptions: number;
  readonly sales: number;
  readonly created_at: string;
}
export interface PortalCustomer {
  readonly id: string;
  readonly first_click_at: string;
  readonly signup_at: string | null;
  readonly first_purchase_at: string | null;
  readonly status: 'click' | 'lead' | 'conversion';
  readonly link: string | null;
  readonly email_masked: string | null;
  readonly amounts: Readonly<Record<string, { readonly revenue_cents: number; readonly commission_cents: number }>>;
}
export interface PortalCommission {
  readonly id: number;
  readonly kind: 'sale' | 'lead' | 'manual';
  readonly status: CommissionStatus;
  readonly amount_cents: number;
  readonly deducted_cents: number;
  readonly payable_cents: number;
  readonly currency: string;
  readonly base_amount_cents: number | null;
  readonly occurred_at: string;
  readonly hold_until: string;
  readonly approved_at: string | null;
  readonly paid_at: string | null;
  readonly payout_id: number | null;
  readonly rejection_reason: string | null;
  readonly reversal_reason: 'refund' | 'chargeback' | null;
}
export interface ExplainedCommission extends PortalCommission {
  readonly why: {
    readonly terms: (TermsVersion & { readonly text: string }) | null;
    readonly steps: readonly {
      readonly at: string;
      readonly kind: 'click' | 'signup' | 'payment' | 'commission' | 'change';
      readonly text: string;
    }[];
    readonly window: string | null;
  };
}
export interface PortalPayout {
  readonly id: number;
  readonly created_at: string;
  readonly currency: string;
  readonly amount_cents: number;
  readonly commission_ids: readonly number[];
  readonly reference: string | null;
}
export type PayoutMethod = 'bank' | 'paypal' | 'wise' | 'other';
export interface PayoutDetails {
  readonly method: PayoutMethod;
  readonly masked: string;
  readonly updated_at: string;
}
