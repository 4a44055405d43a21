import { type StripeEvent, stripeEvent } from '#test/support/stripe/stripe.ts';

// Payments without subscription in the formats of both generations of Stripe's API, reduced to the fields in which they
// differ. Sources: "The PaymentIntent object", "The Invoice object" and "The Invoice Payment object" in Stripe's API
// reference, the types of its library, and for 2025-03-31 the changelog entry "Adds support for multiple (partial)
// payments on invoices": invoices lost `payment_intent`, `charge`, `paid` and `paid_out_of_band`; intents and charges
// lost `invoice`. Events do not contain lists that a caller of the API must expand, such as an invoice's `payments`.

type Fields = Record<string, unknown>;

export const generations = ['before 2025-03-31', 'since 2025-03-31'] as const;
export type Generation = (typeof generations)[number];

const isFormer = (generation: Generation): boolean => generation === generations[0];

/** A payment intent, by default of 49.00 dollars. */
export const intentPaid = (
  id: string,
  metadata: Fields,
  { generation = generations[1], ...more }: Fields & { generation?: Generation } = {},
): StripeEvent =>
  stripeEvent('payment_intent.succeeded', {
    id: `pi_${id}`,
    object: 'payment_intent',
    amount: 4900,
    amount_capturable: 0,
    amount_received: 4900,
    capture_method: 'automatic_async',
    currency: 'usd',
    customer: `cus_${id}`,
    description: null,
    latest_charge: `ch_${id}`,
    livemode: true,
    metadata,
    payment_method_types: ['card'],
    receipt_email: null,
    status: 'succeeded',
    ...(isFormer(generation) && { invoice: null }),
    ...more,
  });

/** A paid invoice without subscription, by default of 49.00 dollars. */
export const singleInvoicePaid = (
  id: string,
  metadata: Fields,
  {
    generation = generations[1],
    type = 'invoice.paid',
    ...more
  }: Fields & { generation?: Generation; type?: string } = {},
): StripeEvent =>
  stripeEvent(type, {
    id: `in_${id}`,
    object: 'invoice',
    amount_due: 4900,
    amount_paid: 4900,
    amount_remaining: 0,
    billing_reason: 'manual',
    collection_method: 'send_invoice',
    currency: 'usd',
    customer: `cus_${id}`,
    customer_email: null,
    livemode: true,
    metadata,
    status: 'paid',
    status_transitions: { finalized_at: 1_795_186_000, paid_at: 1_795_186_800, voided_at: null },
    total: 4900,
    ...(isFormer(generation)
      ? {
          charge: `ch_${id}`,
          paid: true,
          paid_out_of_band: false,
          payment_intent: `pi_${id}`,
          subscription: null,
          subscription_details: { metadata: null },
        }
      : { amount_overpaid: 0, parent: null }),
    ...more,
  });

/** The event that says which payment paid an invoice. */
export const invoicePaymentPaid = (id: string, more: Fields = {}): StripeEvent =>
  stripeEvent('invoice_payment.paid', {
    id: `inpay_${id}`,
    object: 'invoice_payment',
    amount_paid: 4900,
    amount_requested: 4900,
    created: 1_795_186_800,
    currency: 'usd',
    invoice: `in_${id}`,
    is_default: true,
    livemode: true,
    payment: { type: 'payment_intent', payment_intent: `pi_${id}` },
    status: 'paid',
    status_transitions: { canceled_at: null, paid_at: 1_795_186_800 },
    ...more,
  });
