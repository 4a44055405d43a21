import type { StripeHistory } from '#test/integration/stripe-histories/stripe-history.ts';

/** Histories of subscriptions: first payments and renewals. */

const RENEWALS_TOO = { commissionType: 'recurring_percent' } as const;

export const firstPayments: readonly StripeHistory[] = [
  {
    name: 'a checkout of a subscription, its invoice and a renewal',
    version: '2022-11-15',
    program: RENEWALS_TOO,
    events: (stripe) => [
      stripe.checkout('one', { subscription: 'sub' }),
      stripe.invoice('one', { reason: 'subscription_create' }),
      stripe.invoice('two', { day: 30 }),
    ],
    money: ['in_one 4900 USD | Ana 980 USD approved', 'in_two 4900 USD renewal | Ana 980 USD pending'],
  },
  {
    name: 'both events of each paid invoice',
    version: '2025-03-31.basil',
    events: (stripe) => [
      stripe.subscription('created'),
      stripe.invoice('one', { reason: 'subscription_create' }),
      stripe.invoice('one', { reason: 'subscription_create', type: 'invoice.payment_succeeded' }),
      stripe.invoicePayment('one'),
      stripe.checkout('one', { subscription: 'sub' }),
      stripe.invoice('two', { day: 30, type: 'invoice.payment_succeeded' }),
      stripe.invoice('two', { day: 30 }),
      stripe.invoicePayment('two', { day: 30 }),
    ],
    money: ['in_one 4900 USD | Ana 980 USD approved', 'in_two 4900 USD renewal | nothing'],
  },
  {
    name: 'a free trial and the first payment in a program with renewals',
    version: '2024-04-10',
    program: RENEWALS_TOO,
    events: (stripe) => [
      stripe.checkout('trial', { subscription: 'sub', amount: 0 }),
      stripe.invoice('trial', { amount: 0, reason: 'subscription_create' }),
      stripe.invoice('one', { day: 14 }),
      stripe.invoice('two', { day: 44 }),
    ],
    money: ['in_one 4900 USD | Ana 980 USD approved', 'in_two 4900 USD renewal | Ana 980 USD pending'],
  },
  {
    name: 'a free trial and the first payment in a program without renewals',
    version: '2025-12-15.clover',
    events: (stripe) => [
      stripe.checkout('trial', { subscription: 'sub', amount: 0, more: { payment_status: 'no_payment_required' } }),
      stripe.invoice('trial', { amount: 0, reason: 'subscription_create' }),
      stripe.invoice('one', { day: 14 }),
      stripe.invoice('two', { day: 44 }),
    ],
    money: ['in_one 4900 USD | Ana 980 USD approved', 'in_two 4900 USD renewal | nothing'],
  },
  {
    name: 'a subscription without a checkout',
    version: '2023-10-16',
    events: (stripe) => [
      stripe.subscription('created'),
      stripe.invoice('one', { reason: 'subscription_create', amount: 2900 }),
      stripe.invoice('two', { amount: 2900, day: 31 }),
    ],
    money: ['in_one 2900 USD | Ana 580 USD approved', 'in_two 2900 USD renewal | nothing'],
  },
  {
    name: 'an upgrade with proration in a program with renewals',
    version: '2024-06-20',
    program: RENEWALS_TOO,
    events: (stripe) => [
      stripe.checkout('one', { subscription: 'sub' }),
      stripe.invoice('one', { reason: 'subscription_create' }),
      stripe.subscription('updated', { day: 10 }),
      stripe.invoice('more', { reason: 'subscription_update', amount: 1533, day: 10 }),
    ],
    money: ['in_more 1533 USD renewal | Ana 307 USD pending', 'in_one 4900 USD | Ana 980 USD pending'],
  },
  {
    name: 'an upgrade with proration in a program without renewals',
    version: '2025-06-30.basil',
    events: (stripe) => [
      stripe.checkout('one', { subscription: 'sub' }),
      stripe.invoice('one', { reason: 'subscription_create' }),
      stripe.invoicePayment('one'),
      stripe.invoice('more', { reason: 'subscription_update', amount: 1533, day: 10 }),
    ],
    money: ['in_more 1533 USD renewal | nothing', 'in_one 4900 USD | Ana 980 USD pending'],
  },
  {
    name: 'an upgrade during the free trial as the first payment',
    version: '2024-09-30.acacia',
    events: (stripe) => [
      stripe.checkout('trial', { subscription: 'sub', amount: 0 }),
      stripe.invoice('trial', { amount: 0, reason: 'subscription_create' }),
      stripe.invoice('more', { reason: 'subscription_update', amount: 9900, day: 3 }),
    ],
    money: ['in_more 9900 USD | Ana 1980 USD pending'],
  },
  {
    name: 'usage invoiced afterwards',
    version: '2023-08-16',
    program: RENEWALS_TOO,
    events: (stripe) => [
      stripe.checkout('none', { subscription: 'sub', amount: 0 }),
      stripe.invoice('none', { amount: 0, reason: 'subscription_create' }),
      stripe.invoice('one', { amount: 1234, day: 30 }),
      stripe.invoice('two', { amount: 5000, reason: 'subscription_threshold', day: 41 }),
    ],
    money: ['in_one 1234 USD | Ana 247 USD pending', 'in_two 5000 USD renewal | Ana 1000 USD pending'],
  },
  {
    name: 'a subscription that is paused and resumed',
    version: '2025-02-24.acacia',
    program: { ...RENEWALS_TOO, durationMonths: 3 },
    events: (stripe) => [
      stripe.checkout('one', { subscription: 'sub' }),
      stripe.invoice('one', { reason: 'subscription_create' }),
      stripe.subscription('paused', { day: 20 }),
      stripe.subscription('resumed', { day: 80 }),
      stripe.invoice('two', { day: 80 }),
      stripe.invoice('three', { day: 110 }),
    ],
    money: [
      'in_one 4900 USD | Ana 980 USD approved',
      'in_three 4900 USD renewal | nothing',
      'in_two 4900 USD renewal | Ana 980 USD approved',
    ],
  },
  {
    name: 'two subscriptions of one customer',
    version: '2025-09-30.clover',
    program: RENEWALS_TOO,
    events: (stripe) => [
      stripe.checkout('one', { subscription: 'sub' }),
      stripe.invoice('one', { reason: 'subscription_create' }),
      stripe.checkout('two', { subscription: 'other', amount: 1900, day: 5 }),
      stripe.invoice('two', { subscription: 'other', amount: 1900, reason: 'subscription_create', day: 5 }),
      stripe.invoice('three', { day: 30 }),
    ],
    money: [
      'in_one 4900 USD | Ana 980 USD approved',
      'in_three 4900 USD renewal | Ana 980 USD pending',
      'in_two 1900 USD | Ana 380 USD approved',
    ],
  },
  {
    name: 'a second subscription in a program without renewals',
    version: '2024-12-18.acacia',
    events: (stripe) => [
      stripe.invoice('one', { reason: 'subscription_create' }),
      stripe.invoice('two', { subscription: 'other', amount: 1900, reason: 'subscription_create', day: 5 }),
      stripe.invoice('three', { subscription: 'other', amount: 1900, day: 35 }),
    ],
    money: [
      'in_one 4900 USD | Ana 980 USD approved',
      'in_three 1900 USD renewal | nothing',
      'in_two 1900 USD | Ana 380 USD approved',
    ],
  },
  {
    name: 'a subscription by bank debit with money after days',
    version: '2024-04-10',
    signup: 'browser',
    program: { leadCommissionCents: 300 },
    events: (stripe) => [
      stripe.checkout('one', { subscription: 'sub', more: { payment_status: 'unpaid' } }),
      stripe.checkout('one', { subscription: 'sub', type: 'checkout.session.async_payment_succeeded', day: 4 }),
      stripe.invoice('one', { reason: 'subscription_create', day: 4 }),
    ],
    money: ['in_one 4900 USD | Ana 980 USD pending', 'lead: Ana 300 USD pending'],
  },
  {
    name: 'a subscription matched by its processor customer',
    version: '2025-03-31.basil',
    program: RENEWALS_TOO,
    events: (stripe) => [
      stripe.checkout('one', { subscription: 'sub' }),
      stripe.invoice('one', { reason: 'subscription_create', metadata: {} }),
      stripe.invoice('two', { metadata: {}, day: 30 }),
    ],
    money: ['in_one 4900 USD | Ana 980 USD approved', 'in_two 4900 USD renewal | Ana 980 USD pending'],
  },
];
