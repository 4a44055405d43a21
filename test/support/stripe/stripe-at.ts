import { NOW } from '#test/support/callers/request.ts';
import type { StripeEvent } from '#test/support/stripe/stripe.ts';

// Events of a Stripe account whose endpoint has some API version, reduced to fields that differ between versions, or
// that identify a payment and its amount. Sources: the object pages of Stripe's API reference, the types of its
// library, and the changelog entries "Adds support for multiple (partial) payments on invoices" and "Replaces top-level
// tax-related properties with improved tax modeling" (both 2025-03-31), "Replaces the coupon of a discount with its
// source" and "Replaces the coupon of a promotion code with its promotion" (both 2025-09-30).

export type ApiVersion =
  | '2022-11-15'
  | '2023-08-16'
  | '2023-10-16'
  | '2024-04-10'
  | '2024-06-20'
  | '2024-09-30.acacia'
  | '2024-12-18.acacia'
  | '2025-02-24.acacia'
  | '2025-03-31.basil'
  | '2025-06-30.basil'
  | '2025-09-30.clover'
  | '2025-12-15.clover';

export type Fields = Record<string, unknown>;

/** Options of every event. */
interface When {
  /** Number of days after the first click. */
  readonly day?: number;
  /** Exact time of the event. It replaces `day`. */
  readonly at?: Date;
  readonly livemode?: boolean;
  readonly account?: string;
  /** Fields of the event's object that are added or differ. */
  readonly more?: Fields;
}

interface Money extends When {
  readonly amount?: number;
  readonly currency?: string;
  readonly tax?: number;
  readonly metadata?: Fields;
  readonly email?: string | null;
  /** A name for the promotion code; it becomes part of the code's id. */
  readonly code?: string;
}

const DAY = 86_400_000;

/** Returns a time on this day after the first click. @param minute to add, so that events of a day differ */
export const onDay = (day: number, minute = 0): Date => new Date(NOW.getTime() + day * DAY + minute * 60_000);
const secondsOf = (at: Date): number => Math.floor(at.getTime() / 1000);

export const addressOf = (name: string): string => `jo@${name}.test`;

/**
 * Returns functions that create events of one Stripe account.
 * @param name part of every id in the account
 * @param metadata metadata of the brand's payments, unless an event overrides them
 */
export function stripeAt(version: ApiVersion, name: string, metadata: Fields) {
  const hasInvoicePayments = version >= '2025-03-31';
  const hasSources = version >= '2025-09-30';
  const id = (prefix: string, label: string): string => `${prefix}_${name}_${label}`;
  const customer = (label = 'payer'): string => id('cus', label);
  let events = 0;

  function event(type: string, object: Fields, { day = 0, at, livemode = true, account, more }: When): StripeEvent {
    events += 1;
    return {
      id: id('evt', String(events)),
      object: 'event',
      api_version: version,
      created: secondsOf(at ?? onDay(day, events)),
      livemode,
      pending_webhooks: 1,
      request: { id: null, idempotency_key: null },
      type,
      ...(account !== undefined && { account }),
      data: { object: { ...object, livemode, ...more } },
    } as StripeEvent;
  }

  const discounted = (code: string) => ({ coupon: id('co', code), promotion_code: id('promo', code) });
  const taxOf = (amount: number) =>
    hasInvoicePayments
      ? { total_taxes: amount > 0 ? [{ amount, tax_behavior: 'exclusive', type: 'tax_rate_details' }] : [] }
      : { tax: amount || null, total_tax_amounts: amount > 0 ? [{ amount, inclusive: false, tax_rate: 'txr_1' }] : [] };
  const subscriptionOf = (subscription: string | null, named: Fields): Fields => {
    const told = subscription === null ? null : id('sub', subscription);
    if (!hasInvoicePayments) {
      return { subscription: told, subscription_details: { metadata: told === null ? null : named } };
    }
    const subscription_details = { metadata: named, subscription: told };
    return {
      parent: told === null ? null : { quote_details: null, subscription_details, type: 'subscription_details' },
    };
  };

  const session = (label: string, of: Money & { readonly subscription?: string }): Fields => ({
    id: id('cs', label),
    object: 'checkout.session',
    amount_subtotal: (of.amount ?? 4900) - (of.tax ?? 0),
    amount_total: of.amount ?? 4900,
    client_reference_id: null,
    currency: of.currency ?? 'usd',
    customer: customer(),
    customer_details: { email: of.email ?? null, tax_exempt: 'none' },
    customer_email: null,
    discounts: of.code === undefined ? [] : [discounted(of.code)],
    metadata: of.metadata ?? metadata,
    payment_status: 'paid',
    status: 'complete',
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: of.tax ?? 0 },
    ...(of.subscription === undefined
      ? { mode: 'payment', invoice: null, payment_intent: id('pi', label), subscription: null }
      : {
          mode: 'subscription',
          invoice: id('in', label),
          payment_intent: null,
          subscription: id('sub', of.subscription),
        }),
  });

  return {
    id,
    customer,
    event,
    /** The e-mail address with which the person signed up. */
    address: addressOf(name),

    /**
     * A paid checkout. It is a single payment, unless it names a subscription, whose first invoice has the same
     * label.
     */
    checkout: (label: string, of: Money & { readonly subscription?: string; readonly type?: string } = {}) =>
      event(of.type ?? 'checkout.session.completed', session(label, of), of),

    /** A paid invoice. It belongs to the subscription `sub`, unless `of` names another one or null for none. */
    invoice: (
      label: string,
      of: Money & { readonly subscription?: string | null; readonly reason?: string; readonly type?: string } = {},
    ) => {
      const { amount = 4900, tax = 0, day = 0, subscription = 'sub' } = of;
      const named = of.metadata ?? metadata;
      return event(
        of.type ?? 'invoice.paid',
        {
          id: id('in', label),
          object: 'invoice',
          amount_due: amount,
          amount_paid: amount,
          amount_remaining: 0,
          billing_reason: of.reason ?? (subscription === null ? 'manual' : 'subscription_cycle'),
          currency: of.currency ?? 'usd',
          customer: customer(),
          customer_email: of.email ?? null,
          discounts: of.code === undefined ? [] : [id('di', of.code)],
          metadata: subscription === null ? named : {},
          status: 'paid',
          status_transitions: {
            finalized_at: null,
            paid_at: secondsOf(of.at ?? onDay(day, events + 1)),
            voided_at: null,
          },
          subtotal: amount - tax,
          total: amount,
          total_excluding_tax: amount - tax,
          ...subscriptionOf(subscription, named),
          ...taxOf(tax),
          ...(!hasInvoicePayments && {
            charge: id('ch', label),
            discount: null,
            paid: true,
            paid_out_of_band: false,
            payment_intent: id('pi', label),
          }),
        },
        of,
      );
    },

    /** The event that says which payment intent paid an invoice. In older versions, the invoice itself says so. */
    invoicePayment: (label: string, of: Money = {}) =>
      event(
        'invoice_payment.paid',
        {
          id: id('inpay', label),
          object: 'invoice_payment',
          amount_paid: of.amount ?? 4900,
          amount_requested: of.amount ?? 4900,
          currency: of.currency ?? 'usd',
          invoice: id('in', label),
          is_default: true,
          payment: { type: 'payment_intent', payment_intent: id('pi', label) },
          status: 'paid',
        },
        of,
      ),

    /** A payment in a checkout that the brand built itself. */
    intent: (label: string, of: Money = {}) =>
      event(
        'payment_intent.succeeded',
        {
          id: id('pi', label),
          object: 'payment_intent',
          amount: of.amount ?? 4900,
          amount_received: of.amount ?? 4900,
          currency: of.currency ?? 'usd',
          customer: customer(),
          latest_charge: id('ch', label),
          metadata: of.metadata ?? metadata,
          receipt_email: of.email ?? null,
          status: 'succeeded',
          ...(!hasInvoicePayments && { invoice: null }),
        },
        of,
      ),

    /** A refund, reported as `charge.refunded`. @param total amount of the payment that is refunded so far */
    refunded: (label: string, total: number, of: Money = {}) =>
      event(
        'charge.refunded',
        {
          id: id('ch', label),
          object: 'charge',
          amount: of.amount ?? 4900,
          amount_captured: of.amount ?? 4900,
          amount_refunded: total,
          currency: of.currency ?? 'usd',
          customer: customer(),
          payment_intent: id('pi', label),
          refunded: total === (of.amount ?? 4900),
          status: 'succeeded',
          ...(!hasInvoicePayments && { invoice: null }),
        },
        of,
      ),

    /** A refund, reported by another event than `charge.refunded`. */
    refund: (type: 'charge.refund.updated' | 'refund.created' | 'refund.updated', label: string, amount: number) =>
      event(
        type,
        {
          id: id('re', label),
          object: 'refund',
          amount,
          charge: id('ch', label),
          currency: 'usd',
          payment_intent: id('pi', label),
          reason: 'requested_by_customer',
          status: 'succeeded',
        },
        {},
      ),

    dispute: (
      type: 'created' | 'funds_withdrawn' | 'funds_reinstated' | 'updated' | 'closed',
      label: string,
      { status = 'needs_response', ...of }: Money & { readonly status?: string } = {},
    ) =>
      event(
        `charge.dispute.${type}`,
        {
          id: id('dp', label),
          object: 'dispute',
          amount: of.amount ?? 4900,
          charge: id('ch', label),
          currency: of.currency ?? 'usd',
          payment_intent: id('pi', label),
          reason: 'fraudulent',
          status,
        },
        of,
      ),

    /** The event that contains the text of a promotion code. */
    promotionCode: (label: string, code: string, of: When = {}) => {
      const coupon = { id: id('co', label), object: 'coupon', percent_off: 10 };
      const kind = hasSources ? { promotion: { type: 'coupon', coupon: coupon.id } } : { coupon };
      return event(
        'promotion_code.created',
        { id: id('promo', label), object: 'promotion_code', active: true, code, ...kind },
        of,
      );
    },

    /** The event that says which promotion code belongs to a discount of an invoice. */
    discount: (label: string, of: When = {}) => {
      const coupon = { id: id('co', label), object: 'coupon', percent_off: 10 };
      const kind = hasSources ? { source: { type: 'coupon', coupon: coupon.id } } : { coupon };
      return event(
        'customer.discount.created',
        {
          id: id('di', label),
          object: 'discount',
          customer: customer(),
          promotion_code: id('promo', label),
          subscription: id('sub', 'sub'),
          ...kind,
        },
        of,
      );
    },

    /** An event about the subscription itself, which is no payment. */
    subscription: (type: 'created' | 'updated' | 'paused' | 'resumed' | 'deleted', of: When = {}) =>
      event(
        `customer.subscription.${type}`,
        { id: id('sub', 'sub'), object: 'subscription', customer: customer(), metadata, status: 'active' },
        of,
      ),
  };
}

export type Stripe = ReturnType<typeof stripeAt>;
