import { bodyOf } from '#lib/apps/client/field-names.ts';
import { ReferralError, type Warning } from '#lib/apps/client/referral-error.ts';
import type { WireRequest } from '#lib/apps/client/transport.ts';

/** A payment. One of `customerId` and `clickId` is needed, unless a partner's `couponCode` brought it. */
export interface Sale {
  /** The same id as on the lead. */
  readonly customerId?: string | number;
  readonly clickId?: string;
  /** Such as the buyer typed it, in any case; a code that is no partner's changes nothing. */
  readonly couponCode?: string;
  /** Positive integer in the smallest currency unit: 4900 is 49.00 dollars. */
  readonly amount: number;
  /** How much of the amount is tax, where you know it. Programs may compute commissions without it. */
  readonly tax?: number;
  /**
   * Unique for this payment, over all programs of the service, other brands' included: your invoice's id, with a prefix of
   * your own if others may have the same. It makes the call safe to repeat.
   */
  readonly invoiceId: string;
  /** One that the service takes, such as `eur`, in any case; that of the program unless given. */
  readonly currency?: string;
  /** When it was paid, within the last 30 days: a text is ISO 8601 with offset. Now unless given. */
  readonly occurredAt?: Date | string;
  /** Who took the payment; `stripe` is assumed of the id below where it is not given. */
  readonly provider?:
    | 'stripe'
    | 'polar'
    | 'lemonsqueezy'
    | 'paddle'
    | 'paypal'
    | 'braintree'
    | 'chargebee'
    | 'manual'
    | 'other';
  /** The payment's id there, such as Stripe's `pi_…`: a payment that is reported in two ways is then one sale. */
  readonly providerPaymentId?: string;
  readonly saleType?: 'payment' | 'subscription';
  /** Needed only for renewals without `subscriptionId`: the service decides by itself what a renewal is. */
  readonly isRecurring?: boolean;
  /**
   * A payment is a renewal if this customer has paid for the same subscription before. Send it with each payment of a
   * subscription: one without it, `saleType` and `isRecurring` counts as a single purchase.
   */
  readonly subscriptionId?: string;
  readonly subscriptionInterval?: 'monthly' | 'quarterly' | 'annual';
  readonly productId?: string;
  readonly eventName?: string;
  /** What was bought: any JSON up to 16 KiB. */
  readonly lineItems?: unknown;
}

export interface RecordedSale {
  readonly success: true;
  readonly duplicate: false;
  /** Null when the click came after the payment, or outside the attribution window; then nothing was recorded. */
  readonly sale_id: number | null;
  readonly commission_id: number | null;
  readonly attributed: boolean;
  /** Whether the payment is a renewal, as the service has decided; absent when nothing was recorded. */
  readonly is_recurring?: boolean;
  /** Why there is no commission. */
  readonly reason?: 'commission_not_due' | 'attribution_window_expired' | 'click_after_payment';
  /** Whole days. */
  readonly click_age_days?: number;
  readonly window_days?: number;
  readonly message: string;
  readonly warnings?: readonly Warning[];
}

/** A sale of this program with this invoice id had been recorded before. */
export interface RepeatedSale {
  readonly success: true;
  readonly duplicate: true;
  readonly sale_id: number;
  readonly warnings?: readonly Warning[];
}

/**
 * There is no partner to credit: the customer came without one, or theirs was removed. There is no commission, and
 * nothing is to be done. (Where an operator took the customer away from its partner, the sale itself is stored.)
 */
export interface UnattributedSale {
  readonly success: true;
  readonly duplicate: false;
  readonly attributed: false;
  readonly reason: 'no_attribution';
  readonly sale_id?: undefined;
  readonly commission_id?: undefined;
  readonly warnings?: readonly Warning[];
}

export const saleNames = {
  customerId: 'customer_key',
  clickId: 'click_id',
  couponCode: 'coupon_code',
  amount: 'amount_cents',
  tax: 'tax_cents',
  invoiceId: 'transaction_id',
  currency: 'currency',
  occurredAt: 'occurred_at',
  provider: 'provider',
  providerPaymentId: 'provider_payment_id',
  saleType: 'sale_type',
  isRecurring: 'is_recurring',
  subscriptionId: 'subscription_id',
  subscriptionInterval: 'subscription_interval',
  productId: 'product_id',
  eventName: 'event_name',
  lineItems: 'line_items',
} as const satisfies Readonly<Record<keyof Sale, string>>;

export const saleRequest = (sale: Sale): WireRequest => ({
  method: 'POST',
  path: '/api/v1/track/sale',
  body: bodyOf(saleNames, sale),
});

/**
 * The sale that had been recorded before, when that is why a call failed.
 * @throws ReferralError where another program's sale has the id: then this payment is not recorded
 */
export function recordedSaleId(error: ReferralError): number | undefined {
  const { status, code, reason, details, requestId, warnings } = error;
  if (status !== 409 || code !== 'duplicate_transaction') return undefined;
  if (details.own === true) return details.sale_id as number;
  throw new ReferralError(
    'This payment was not recorded: a sale of another program has the same invoiceId (transaction_id). Ids are unique over all programs: put a prefix of your own before each, such as acme_in_1. An owner can record this payment on the page Payments.',
    { status, code, reason, details, requestId, warnings, cause: error },
  );
}
