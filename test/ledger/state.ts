import type { Book } from '#test/ledger/book.ts';

/**
 * Everything that the ledger knows about a program. It contains only plain data, so it can be copied to try several
 * orders of events.
 */
export interface State {
  readonly settings: Settings;
  readonly terms: { program: Terms; group?: Terms; readonly personal: (Terms | null)[] };
  readonly members: boolean[];
  readonly removed: boolean[];
  readonly customers: Customer[];
  readonly sales: Sale[];
  readonly commissions: Commission[];
  readonly payouts: Payout[];
  readonly book: Book;
  /** For each click that counts, the partner and the day. */
  readonly clicks: { readonly partner: number; readonly on: string }[];
  readonly leads: { readonly partner: number; readonly on: string }[];
  /** Refunds and disputes that Stripe has reported for payments that are not recorded yet. */
  readonly waiting: Reversal[];
  /** Live payments of Stripe in a sandbox, which are listed but are no sales. */
  readonly listed: { readonly id: string; readonly cents: number; readonly currency: string; readonly at: number }[];
}

export interface Settings {
  currency: string;
  commissionBase: 'gross' | 'excluding_tax';
  codePrecedence: 'link_first' | 'code_first';
  termsApply: 'current' | 'first_sale';
  windowDays: number;
  autoApprove: boolean;
  minimumCents: number;
  holdsSelfReferral: boolean;
  /** Whether the program is in a sandbox, where test payments earn commissions. It never changes. */
  isSandbox: boolean;
}

export interface Terms {
  readonly type: 'percent' | 'fixed' | 'recurring_percent' | 'recurring_fixed';
  readonly rate: number;
  /** For how many months renewals earn commission; 0 means without limit. */
  readonly months: number;
  readonly holdDays: number;
  readonly leadCents: number;
  readonly tiers: readonly { readonly from: number; readonly rate: number }[];
}

export interface Customer {
  readonly label: string;
  readonly key: string;
  /** The click id, as the service returned it; null if a coupon code created the customer. */
  readonly clickId: string | null;
  partner: number;
  readonly firstClickAt: number;
  status: 'click' | 'lead' | 'conversion';
  isKeyBound: boolean;
  isByCode: boolean;
  provisionalAt: number | null;
  signupAt: number | null;
  firstPurchaseAt: number | null;
  firstTerms: Terms | null;
  /** If the customer's e-mail address is that of a partner, the number of that partner. */
  isPartner: number | null;
  /** Whether a person has released a commission of this customer that a rule held. */
  isReleased: boolean;
}

export interface Sale {
  readonly id: string;
  /** All ids by which Stripe or the brand may name the payment. */
  readonly ids: string[];
  readonly customer: string;
  readonly partner: number;
  readonly amount: number;
  readonly tax: number | null;
  readonly base: number;
  readonly currency: string;
  readonly source: 'api' | 'processor';
  readonly type: 'payment' | 'subscription';
  readonly subscription: string | null;
  isRecurring: boolean;
  /** Set for an invoice of a subscription that is not its first, while no earlier payment is known. */
  isEarly: boolean;
  readonly code: number | null;
  readonly paidAt: number;
  readonly recordedAt: number;
  /**
   * Refunded amounts: the total that the API reported without ids, the amounts that it reported with ids, and the total
   * that Stripe reported.
   */
  readonly refunds: { total: number; readonly byId: Record<string, number>; stripe: number };
  /** Amounts of disputes by id; null for a dispute that the brand won. */
  readonly disputes: Record<string, number | null>;
  /** The amount that counts as refunded after all reports so far. */
  refunded: number;
  readonly steps: Step[];
  /** Times at which refunds and disputes had returned the whole amount. */
  readonly returnedAt: number[];
}

/** A row in the history of a sale's refunds. */
export interface Step {
  readonly reason: 'refund' | 'chargeback' | 'dispute_won' | 'correction';
  readonly cents: number;
  readonly total: number;
  readonly deducted: number;
}

type Status = 'held' | 'pending' | 'approved' | 'paid' | 'rejected' | 'reversed';

export interface Commission {
  readonly label: string;
  readonly kind: 'sale' | 'lead' | 'manual';
  readonly partner: number;
  readonly sale: string | null;
  readonly customer: string | null;
  readonly type: Terms['type'] | 'lead' | 'manual';
  readonly rate: number | null;
  readonly base: number | null;
  amount: number;
  readonly currency: string;
  /** The fee that the platform charges for the sale, in the sale's currency. */
  fee: number;
  feeReduced: number;
  readonly occurredAt: number;
  readonly createdAt: number;
  readonly holdUntil: number;
  status: Status;
  former: Status | null;
  deducted: number;
  reversalReason: 'refund' | 'chargeback' | null;
  rejectionReason: string | null;
  approvedAt: number | null;
  paidAt: number | null;
  payout: number | null;
  wasPaid: boolean;
  /**
   * Set if the sale was refunded after the commission was paid. The next payout then includes the commission, even with
   * an amount of 0.
   */
  isMarked?: boolean;
  /** When a person released the commission, if its hold period was over by then. */
  releasedAt?: number;
  /** Set if a person reopened the commission. The end of its hold period then does not approve it. */
  byHand?: true;
  /** Set if the commission was rejected while a rule held it. It was then never counted. */
  neverCounted?: boolean;
}

export interface Payout {
  readonly number: number;
  readonly at: number;
  readonly items: {
    readonly partner: number;
    readonly currency: string;
    readonly cents: number;
    readonly of: string[];
  }[];
}

/** What a Stripe event says about a refund or dispute. */
export type Reversal = { readonly ids: readonly string[] } & (
  | { readonly kind: 'refund'; readonly total: number }
  | { readonly kind: 'opened' | 'won'; readonly dispute: string; readonly cents: number }
);

export const DAY = 86_400_000;
export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);
export const monthOf = (time: number): string => new Date(time).toISOString().slice(0, 7);

export const emptyState = (settings: Settings, terms: Terms, partners: number): State => ({
  settings: { ...settings },
  terms: { program: terms, personal: Array.from({ length: partners }, () => null) },
  members: Array.from({ length: partners }, () => false),
  removed: Array.from({ length: partners }, () => false),
  customers: [],
  sales: [],
  commissions: [],
  payouts: [],
  book: [],
  clicks: [],
  leads: [],
  waiting: [],
  listed: [],
});
