import { bodyOf } from '#lib/apps/client/errors/field-names.ts';
import { ReferralError, type Warning } from '#lib/apps/client/errors/referral-error.ts';
import type { WireRequest } from '#lib/apps/client/calls/transport.ts';

/** A payment. `customerId` or `clickId` is required, unless a partner's `couponCode` was used. */
export interface Sale {
  /** The id that was sent with the lead. */
  readonly customerId?: string | number;
  readonly clickId?: string | undefined;
  /**
   * The coupon code as the buyer typed it, in upper or lower case. It has no effect if it is not the code of a partner.
   */
  readonly couponCode?: string | undefined;
  /** The amount paid, as a positive integer in the smallest currency unit: 4900 is 49.00 dollars. */
  readonly amount: number;
  /** The tax included in the amount, if known. Programs may exclude it from commissions. */
  readonly tax?: number;
  /**
   * An id that no other payment has, in any program of the service, including programs of other brands. Use your
   * invoice's id, with a prefix if another brand might use the same id. With it, the call is safe to repeat.
   */
  readonly invoiceId: string;
  /** A currency that the service accepts, such as `eur`, in upper or lower case. Default: the program's. */
  readonly currency?: string;
  /** When the payment was made, within the last 30 days; a text must be ISO 8601 with offset. Default: now. */
  readonly occurredAt?: Date | string;
  /** The payment provider. Default: `stripe` if `providerPaymentId` is given. */
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
  /**
   * The payment provider's id of the payment, such as Stripe's `pi_…`. With it, a payment that both you and Stripe
   * report is recorded as one sale.
   */
  readonly providerPaymentId?: string | undefined;
  readonly saleType?: 'payment' | 'subscription';
  /**
   * Whether the payment is a renewal. Only send it for renewals without `subscriptionId`; the service detects all
   * others.
   */
  readonly isRecurring?: boolean;
  /**
   * Your id of the subscription; send it with each of its payments. A payment is a renewal if this customer has already
   * paid for the same subscription. Without `subscriptionId`, `saleType` and `isRecurring`, a payment counts as a
   * single purchase.
   */
  readonly subscriptionId?: string | undefined;
  readonly subscriptionInterval?: 'monthly' | 'quarterly' | 'annual';
  readonly productId?: string;
  readonly eventName?: string;
  /** Purchased items, as any JSON value of up to 16 KiB. */
  readonly lineItems?: unknown;
}

export interface RecordedSale {
  readonly success: true;
  readonly duplicate: false;
  /**
   * The id of the sale. It is null if nothing was recorded because the click was after the payment or outside the
   * attribution window.
   */
  readonly sale_id: number | null;
  readonly commission_id: number | null;
  readonly attributed: boolean;
  /** Whether the service considers the payment a renewal; undefined if nothing was recorded. */
  readonly is_recurring?: boolean;
  /** Why there is no commission. */
  readonly reason?: 'commission_not_due' | 'attribution_window_expired' | 'click_after_payment';
  /** Age of the click in whole days. */
  readonly click_age_days?: number;
  readonly window_days?: number;
  readonly message: string;
  readonly warnings?: readonly Warning[];
}

/** The reply if a sale with this invoice id was already recorded in this program. */
export interface RepeatedSale {
  readonly success: true;
  readonly duplicate: true;
  readonly sale_id: number;
  readonly warnings?: readonly Warning[];
}

/**
 * The reply if there is no partner to credit: the customer came without one, or the partner was removed. There is no
 * commission, and nothing to do. (If an operator unlinked the customer from its partner, the sale itself is stored.)
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
 * The id of the recorded sale, if a call failed because a sale with its invoice id already exists.
 * @throws ReferralError if the id is that of a test sale or of another program's: this payment is then not recorded
 */
export function recordedSaleId(error: ReferralError): number | undefined {
  const { status, code, reason, details, requestId, warnings } = error;
  if (status !== 409 || code !== 'duplicate_transaction') return undefined;
  if (details.own === true) return details.sale_id as number;
  throw new ReferralError(
    'This payment was not recorded: a test sale or a sale of another program has the same invoiceId (transaction_id). Put a prefix of your own before each id, such as acme_1. An owner can record this payment on the page Payments.',
    { status, code, reason, details, requestId, warnings, cause: error },
  );
}
