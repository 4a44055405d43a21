import type { Settings, Terms } from '#test/ledger/state.ts';

// Commands name objects by a number that selects one of those that exist. So a command is valid regardless of what the
// commands before it have created.

type StripeKind = 'checkout' | 'intent' | 'subscribe' | 'invoice';

/** Commands that can also run in parallel with others. */
export type SingleCommand =
  | { readonly do: 'click'; readonly partner: number }
  | { readonly do: 'again'; readonly customer: number; readonly partner: number }
  | { readonly do: 'lead'; readonly customer: number; readonly isSelf: boolean }
  | { readonly do: 'browserLead'; readonly customer: number }
  | {
      readonly do: 'sale';
      readonly customer: number;
      readonly amount: number;
      readonly taxPercent: number | null;
      readonly currency: string | null;
      readonly type: 'payment' | 'subscription';
      readonly subscription: number | null;
      readonly isRecurring: boolean;
      readonly hoursAgo: number;
      readonly by: 'both' | 'key' | 'code';
      readonly code: number | null;
      /** If set, the sale names the Stripe payment with this number. */
      readonly payment: number | null;
    }
  | { readonly do: 'resend'; readonly sale: number }
  | {
      readonly do: 'stripe';
      readonly kind: StripeKind;
      readonly customer: number;
      readonly amount: number;
      readonly taxPercent: number;
      readonly currency: string;
      readonly isTwice: boolean;
      readonly isReversed: boolean;
    }
  /** A live payment of Stripe in a sandbox, where only test payments count. */
  | {
      readonly do: 'live';
      readonly kind: StripeKind;
      readonly customer: number;
      readonly amount: number;
      readonly currency: string;
      readonly isTwice: boolean;
      readonly isReversed: boolean;
    }
  | { readonly do: 'renew'; readonly sale: number; readonly amount: number; readonly isUpgrade: boolean }
  /** A subscription whose renewal is reported before its first payment. That payment was made some hours earlier. */
  | {
      readonly do: 'early';
      readonly customer: number;
      readonly amount: number;
      readonly firstAmount: number;
      readonly hoursBefore: number;
    }
  | { readonly do: 'stripeRefund'; readonly sale: number; readonly percent: number }
  | { readonly do: 'dispute'; readonly sale: number; readonly percent: number }
  | { readonly do: 'win'; readonly dispute: number }
  | {
      readonly do: 'refund';
      readonly sale: number;
      readonly percent: number | null;
      readonly reason: 'refund' | 'chargeback';
      readonly id: number | null;
      readonly isCorrection: boolean;
    }
  | {
      readonly do: 'decide';
      readonly commission: number;
      readonly decision: 'approve' | 'reject' | 'release' | 'reopen';
    }
  | { readonly do: 'grant'; readonly partner: number; readonly cents: number; readonly currency: string }
  | { readonly do: 'payOut'; readonly partner: number | null; readonly daysBack: number | null }
  | {
      readonly do: 'terms';
      readonly of: 'program' | 'group' | 'personal';
      readonly partner: number;
      readonly terms: Terms | null;
    }
  | { readonly do: 'member'; readonly partner: number; readonly isIn: boolean }
  | { readonly do: 'settings'; readonly change: Partial<Settings> }
  | { readonly do: 'partner'; readonly partner: number; readonly isRemoved: boolean }
  /**
   * Changes several fields of a partner in one request. Fields that are absent or null stay unchanged, except that null
   * for `terms` removes the personal terms.
   */
  | {
      readonly do: 'patch';
      readonly partner: number;
      readonly isRemoved: boolean | null;
      readonly isIn: boolean | null;
      readonly terms?: Terms | null;
      /** If true, the request names a group that does not exist, so the service must refuse all of it. */
      readonly isRefused: boolean;
    };

export type Command =
  | SingleCommand
  | { readonly do: 'wait'; readonly seconds: number }
  /** Commands whose calls are made in parallel. */
  | { readonly do: 'race'; readonly of: readonly SingleCommand[] };

export interface History {
  readonly seed: number;
  readonly settings: Settings;
  readonly terms: Terms;
  readonly commands: readonly Command[];
}
