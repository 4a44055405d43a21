import { type StripeEvent, stripeEvent } from '#test/support/stripe/stripe.ts';

// Checkout sessions of Payment Links in the format of API versions since 2025-03-31, with all fields that Stripe sends.

type Fields = Record<string, unknown>;

const session = (id: string, reference: string | null): Fields => ({
  id: `cs_${id}`,
  object: 'checkout.session',
  adaptive_pricing: { enabled: true },
  after_expiration: null,
  allow_promotion_codes: false,
  amount_subtotal: 4900,
  amount_total: 4900,
  automatic_tax: { enabled: false, liability: null, provider: null, status: null },
  billing_address_collection: 'auto',
  cancel_url: 'https://stripe.com',
  client_reference_id: reference,
  client_secret: null,
  collected_information: { business_name: null, individual_name: null, shipping_details: null },
  consent: null,
  consent_collection: { payment_method_reuse_agreement: null, promotions: 'none', terms_of_service: 'none' },
  currency: 'usd',
  currency_conversion: null,
  custom_fields: [],
  custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
  customer_details: {
    address: { city: null, country: 'DE', line1: null, line2: null, postal_code: null, state: null },
    email: `${id}@payers.test`,
    name: 'Jo Doe',
    phone: null,
    tax_exempt: 'none',
    tax_ids: [],
  },
  customer_email: null,
  discounts: [],
  livemode: true,
  locale: 'auto',
  metadata: {},
  origin_context: null,
  payment_link: 'plink_1PaymentLink',
  payment_method_collection: 'if_required',
  payment_method_types: ['card'],
  payment_status: 'paid',
  phone_number_collection: { enabled: false },
  presentment_details: null,
  recovered_from: null,
  saved_payment_method_options: null,
  setup_intent: null,
  shipping_cost: null,
  shipping_options: [],
  status: 'complete',
  submit_type: 'auto',
  success_url: 'https://stripe.com',
  total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
  ui_mode: 'hosted',
  url: null,
  wallet_options: null,
});

const completed = (object: Fields): StripeEvent => stripeEvent('checkout.session.completed', object);

/** The event of a single payment, whose payer is a guest for Stripe. */
export const paidByLink = (id: string, reference: string | null, more: Fields = {}): StripeEvent =>
  completed({
    ...session(id, reference),
    mode: 'payment',
    customer: null,
    customer_creation: 'if_required',
    invoice: null,
    invoice_creation: { enabled: false, invoice_data: { metadata: {} } },
    payment_intent: `pi_${id}`,
    payment_method_options: { card: { request_three_d_secure: 'automatic' } },
    subscription: null,
    ...more,
  });

/** The event that begins a subscription. The subscription has no metadata, so its invoices have none either. */
export const subscribedByLink = (id: string, reference: string | null, more: Fields = {}): StripeEvent =>
  completed({
    ...session(id, reference),
    mode: 'subscription',
    customer: `cus_${id}`,
    customer_creation: 'always',
    invoice: `in_${id}`,
    invoice_creation: null,
    payment_intent: null,
    payment_method_collection: 'always',
    payment_method_options: { card: { request_three_d_secure: 'automatic' } },
    subscription: `sub_${id}`,
    ...more,
  });
