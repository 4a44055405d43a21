import type { Book } from '#test/ledger/book.ts';

/** The ledger's whole state of a program; plain data, so that several orders of events can be tried. */
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
  /** The counted clicks of each partner, by day. */
  readonly clicks: { readonly partner: number; readonly on: string }[];
  readonly leads: { readonly partner: number; readonly on: string }[];
  /** Stripe's reversals of payments that are not recorded yet. */
  readonly waiting: Reversal[];
  /** Live payments in a sandbox, which are no sales. */
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
  /** Whether it is a sandbox, where test payments earn. Fixed on creation. */
  isSandbox: boolean;
}

export interface Terms {
  readonly type: 'percent' | 'fixed' | 'recurring_percent' | 'recurring_fixed';
  readonly rate: number;
  /** 0 means forever. */
  readonly months: number;
  readonly holdDays: number;
  readonly leadCents: number;
  readonly tiers: readonly { readonly from: number; readonly rate: number }[];
}

export interface Customer {
  readonly label: string;
  readonly key: string;
  /** The click id that the service returned; null if a code created the customer. */
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
  /** The partner whose address the customer gave, if any. */
  isPartner: number | null;
  /** Whether a user has released a commission that a rule held for this customer. */
  isReleased: boolean;
}

export interface Sale {
  readonly id: string;
  /** All ids of the payment. */
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
  /** Set for a later invoice of a subscription without a known earlier payment. */
  isEarly: boolean;
  readonly code: number | null;
  readonly paidAt: number;
  readonly recordedAt: number;
  /** Refunded totals: those that the API reported without an id, with ids, and those that Stripe reported. */
  readonly refunds: { total: number; readonly byId: Record<string, number>; stripe: number };
  /** Amounts of open disputes by id; null = won. */
  readonly disputes: Record<string, number | null>;
  /** The refunded amount that counts. */
  refunded: number;
  readonly steps: Step[];
  /** Times at which nothing of the amount remained. */
  readonly returnedAt: number[];
}

/** A row of the refund log. */
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
  /** The platform's fee, in the sale's currency. */
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
  /** Set if the sale was refunded after the commission was paid: the next payout includes it, even with nothing due. */
  isMarked?: boolean;
  /** The time of a release, if it came after the end of the hold. */
  releasedAt?: number;
  /** Set if a person reopened it, so that the end of its hold does not approve it. */
  byHand?: true;
  /** Set if the commission was rejected while it was held, so that it was never counted. */
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

/** Stripe events of reversals. */
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
