import type { StripeHistory } from '#test/integration/stripe-histories/stripe-history.ts';

/** Histories of payments without a subscription, and of payments without code on the brand's side. */

const unnamed = { metadata: {} };

export const singlePayments: readonly StripeHistory[] = [
  {
    name: 'a checkout and its intent',
    version: '2024-06-20',
    events: (stripe) => [stripe.intent('one', unnamed), stripe.checkout('one')],
    money: ['cs_one 4900 USD | Ana 980 USD pending'],
  },
  {
    name: 'a checkout whose intent comes first with the same metadata',
    version: '2025-12-15.clover',
    events: (stripe) => [stripe.intent('one'), stripe.checkout('one')],
    money: ['pi_one 4900 USD | Ana 980 USD pending'],
  },
  {
    name: 'an intent of the brand’s own checkout, twice',
    version: '2022-11-15',
    signup: 'browser',
    events: (stripe) => [stripe.intent('one'), stripe.intent('two', { amount: 99, day: 2 })],
    money: ['pi_one 4900 USD | Ana 980 USD pending', 'pi_two 99 USD | Ana 20 USD pending'],
  },
  {
    name: 'an intent without identifiers',
    version: '2025-06-30.basil',
    events: (stripe) => [stripe.intent('one', unnamed)],
    money: [],
  },
  {
    name: 'an invoice for a service',
    version: '2024-04-10',
    events: (stripe) => [stripe.invoice('one', { subscription: null, amount: 120_000 })],
    money: ['in_one 120000 USD | Ana 24000 USD pending'],
  },
  {
    name: 'an invoice for a service, with a separate payment event',
    version: '2025-03-31.basil',
    events: (stripe) => [
      stripe.invoice('one', { subscription: null, amount: 120_000 }),
      stripe.invoicePayment('one', { amount: 120_000 }),
    ],
    money: ['in_one 120000 USD | Ana 24000 USD pending'],
  },
  {
    name: 'an invoice for a service, with an earlier payment event',
    version: '2025-09-30.clover',
    events: (stripe) => [
      stripe.invoicePayment('one', { amount: 120_000 }),
      stripe.invoice('one', { subscription: null, amount: 120_000 }),
    ],
    money: ['in_one 120000 USD | Ana 24000 USD pending'],
  },
  {
    name: 'an invoice for a service, without a payment event',
    version: '2025-06-30.basil',
    events: (stripe) => [stripe.invoice('one', { subscription: null, amount: 120_000 })],
    seenOnDay: 31,
    money: ['in_one 120000 USD lost: waiting_for_payment_intent'],
  },
  {
    name: 'an invoice without subscription and identifiers',
    version: '2024-09-30.acacia',
    events: (stripe) => [stripe.invoice('one', { subscription: null, metadata: {} })],
    money: [],
  },
  {
    name: 'an invoice created by a checkout',
    version: '2025-09-30.clover',
    events: (stripe) => [
      stripe.checkout('one', { more: { invoice: stripe.id('in', 'one') } }),
      stripe.invoice('one', { subscription: null }),
      stripe.invoicePayment('one'),
    ],
    money: ['cs_one 4900 USD | Ana 980 USD pending'],
  },
  {
    name: 'a payment link',
    version: '2025-03-31.basil',
    signup: 'none',
    events: (stripe, { clickId }) => [
      stripe.checkout('one', { ...unnamed, more: { client_reference_id: clickId, customer: null } }),
    ],
    money: ['cs_one 4900 USD | Ana 980 USD pending'],
  },
  {
    name: 'a payment link with the brand’s own reference',
    version: '2024-04-10',
    signup: 'none',
    events: (stripe) => [stripe.checkout('one', { ...unnamed, more: { client_reference_id: 'order-77' } })],
    money: [],
  },
  {
    name: 'a pricing table',
    version: '2023-10-16',
    signup: 'none',
    program: { commissionType: 'recurring_percent' },
    events: (stripe, { clickId }) => [
      stripe.checkout('one', { ...unnamed, subscription: 'sub', more: { client_reference_id: clickId } }),
      stripe.invoice('one', { ...unnamed, reason: 'subscription_create' }),
      stripe.invoice('two', { ...unnamed, day: 30 }),
    ],
    money: ['in_one 4900 USD | Ana 980 USD approved', 'in_two 4900 USD renewal | Ana 980 USD pending'],
  },
  {
    name: 'a guest matched by the sign-up’s e-mail address',
    version: '2022-11-15',
    events: (stripe) => [
      stripe.checkout('one', { ...unnamed, email: stripe.address.toUpperCase(), more: { customer: null } }),
    ],
    money: ['cs_one 4900 USD | Ana 980 USD pending'],
  },
  {
    name: 'a guest whose e-mail address comes only from a browser',
    version: '2024-06-20',
    signup: 'browser',
    events: (stripe) => [stripe.checkout('one', { ...unnamed, email: stripe.address, more: { customer: null } })],
    money: [],
  },
  {
    name: 'a bank transfer that arrives later',
    version: '2024-12-18.acacia',
    signup: 'browser',
    events: (stripe) => [
      stripe.checkout('one', { more: { payment_status: 'unpaid' } }),
      stripe.checkout('one', { type: 'checkout.session.async_payment_succeeded', day: 3 }),
    ],
    money: ['cs_one 4900 USD | Ana 980 USD pending'],
  },
  {
    name: 'a bank transfer that fails',
    version: '2025-02-24.acacia',
    events: (stripe) => [
      stripe.checkout('one', { more: { payment_status: 'unpaid' } }),
      stripe.checkout('one', { type: 'checkout.session.async_payment_failed', more: { payment_status: 'unpaid' } }),
    ],
    money: [],
  },
  {
    name: 'a checkout that only saves a card',
    version: '2023-08-16',
    events: (stripe) => [
      stripe.checkout('card', {
        more: { mode: 'setup', payment_status: 'no_payment_required', amount_total: null, setup_intent: 'seti_1' },
      }),
    ],
    money: [],
  },
];
