import type { Settings, Terms } from '#test/ledger/state.ts';

// What a command names is a number, so that it means something after any prefix of a history.

type StripeKind = 'checkout' | 'intent' | 'subscribe' | 'invoice';

/** What can also happen beside others. */
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
      /** Names the payment of this number on Stripe. */
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
  /** A payment of the live mode in a sandbox. */
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
  /** A renewal is told before the first payment of its subscription, which was made some hours before. */
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
  | { readonly do: 'decide'; readonly commission: number; readonly decision: 'approve' | 'reject' | 'release' }
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
  /** Several kinds of fields of a partner at once; absent and null leave a kind out, but null clears its own terms. */
  | {
      readonly do: 'patch';
      readonly partner: number;
      readonly isRemoved: boolean | null;
      readonly isIn: boolean | null;
      readonly terms?: Terms | null;
      /** With a group that does not exist: nothing of it counts. */
      readonly isRefused: boolean;
    };

export type Command =
  | SingleCommand
  | { readonly do: 'wait'; readonly seconds: number }
  /** At the same moment. */
  | { readonly do: 'race'; readonly of: readonly SingleCommand[] };

export interface History {
  readonly seed: number;
  readonly settings: Settings;
  readonly terms: Terms;
  readonly commands: readonly Command[];
}
