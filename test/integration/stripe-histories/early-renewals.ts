import type { StripeHistory } from '#test/integration/stripe-histories/stripe-history.ts';

/** Histories in which events arrive before those of an earlier payment. The amounts follow the order of payment. */

const RENEWALS_TOO = { commissionType: 'recurring_percent' } as const;

export const earlyRenewals: readonly StripeHistory[] = [
  {
    name: 'a renewal before the first payment',
    version: '2024-04-10',
    events: (stripe) => [
      stripe.invoice('two', { day: 30 }),
      stripe.invoice('one', { reason: 'subscription_create', amount: 2900 }),
      stripe.invoice('three', { day: 60 }),
    ],
    money: [
      'in_one 2900 USD | Ana 580 USD approved',
      'in_three 4900 USD renewal | nothing',
      'in_two 4900 USD renewal | Ana 0 USD approved',
    ],
    seenOnDay: 70,
  },
  {
    name: 'a renewal before the first payment in a program with renewals',
    version: '2025-03-31.basil',
    program: RENEWALS_TOO,
    events: (stripe) => [
      stripe.invoicePayment('two', { day: 30 }),
      stripe.invoice('two', { day: 30 }),
      stripe.invoice('one', { reason: 'subscription_create', amount: 2900 }),
      stripe.invoicePayment('one'),
      stripe.checkout('one', { subscription: 'sub', amount: 2900 }),
    ],
    money: ['in_one 2900 USD | Ana 580 USD pending', 'in_two 4900 USD renewal | Ana 980 USD pending'],
  },
  {
    name: 'an upgrade before the first payment',
    version: '2025-06-30.basil',
    events: (stripe) => [
      stripe.invoice('more', { reason: 'subscription_update', amount: 1533, day: 1 }),
      stripe.checkout('one', { subscription: 'sub' }),
      stripe.invoice('one', { reason: 'subscription_create' }),
      stripe.invoicePayment('one'),
      stripe.invoicePayment('more', { amount: 1533, day: 1 }),
    ],
    money: ['in_more 1533 USD renewal | Ana 0 USD pending', 'in_one 4900 USD | Ana 980 USD pending'],
  },
  {
    name: 'three payments, latest first',
    version: '2023-10-16',
    events: (stripe) => [
      stripe.invoice('three', { day: 14, amount: 3000 }),
      stripe.invoice('two', { day: 7, amount: 2000 }),
      stripe.invoice('one', { reason: 'subscription_create', amount: 1000 }),
    ],
    money: [
      'in_one 1000 USD | Ana 200 USD pending',
      'in_three 3000 USD renewal | Ana 0 USD pending',
      'in_two 2000 USD renewal | Ana 0 USD pending',
    ],
  },
  {
    name: 'three payments, latest first, in a program that pays one month',
    version: '2024-06-20',
    program: { ...RENEWALS_TOO, durationMonths: 1 },
    events: (stripe) => [
      stripe.invoice('three', { day: 45, amount: 3000 }),
      stripe.invoice('two', { day: 20, amount: 2000 }),
      stripe.invoice('one', { reason: 'subscription_create', amount: 1000 }),
    ],
    money: [
      'in_one 1000 USD | Ana 200 USD pending',
      'in_three 3000 USD renewal | Ana 0 USD pending',
      'in_two 2000 USD renewal | Ana 400 USD pending',
    ],
  },
  {
    name: 'a refunded renewal before the first payment',
    version: '2024-12-18.acacia',
    events: (stripe) => [
      stripe.invoice('two', { day: 30 }),
      stripe.refunded('two', 2450, { day: 30 }),
      stripe.checkout('one', { subscription: 'sub' }),
      stripe.invoice('one', { reason: 'subscription_create' }),
      stripe.refunded('two', 4900, { day: 31 }),
    ],
    money: ['in_one 4900 USD | Ana 980 USD pending', 'in_two 4900 USD renewal back 4900 | Ana 0 USD reversed'],
  },
  {
    name: 'a renewal before another earlier payment, without a sign-up',
    version: '2025-09-30.clover',
    signup: 'none',
    events: (stripe) => [
      stripe.invoice('two', { day: 30 }),
      stripe.checkout('single', { amount: 1900, day: 5 }),
      stripe.invoice('one', { reason: 'subscription_create', day: 2 }),
    ],
    money: [
      'cs_single 1900 USD | Ana 380 USD pending',
      'in_one 4900 USD | Ana 980 USD pending',
      'in_two 4900 USD renewal | Ana 0 USD pending',
    ],
  },
];
