import type { StripeHistory } from '#test/integration/stripe-histories/stripe-history.ts';

/** Histories with refunds and disputes. */

export const returnedMoney: readonly StripeHistory[] = [
  {
    name: 'a payment with partial refunds',
    version: '2022-11-15',
    events: (stripe) => [
      stripe.checkout('one'),
      stripe.refunded('one', 1000, { day: 2 }),
      stripe.refunded('one', 2450, { day: 3 }),
    ],
    money: ['cs_one 4900 USD back 2450 | Ana 980 USD pending less 490'],
  },
  {
    name: 'a payment with partial refunds up to the whole amount',
    version: '2025-03-31.basil',
    events: (stripe) => [
      stripe.checkout('one'),
      stripe.refunded('one', 1000, { day: 2 }),
      stripe.refunded('one', 4900, { day: 3 }),
    ],
    money: ['cs_one 4900 USD back 4900 | Ana 980 USD reversed less 980'],
  },
  {
    name: 'a refund reported by all of its events',
    version: '2024-12-18.acacia',
    events: (stripe) => [
      stripe.checkout('one'),
      stripe.refund('refund.created', 'one', 1225),
      stripe.refunded('one', 1225),
      stripe.refund('refund.updated', 'one', 1225),
      stripe.refund('charge.refund.updated', 'one', 1225),
    ],
    money: ['cs_one 4900 USD back 1225 | Ana 980 USD pending less 245'],
  },
  {
    name: 'a refund before its payment',
    version: '2024-04-10',
    events: (stripe) => [stripe.refunded('one', 2450), stripe.checkout('one')],
    money: ['cs_one 4900 USD back 2450 | Ana 980 USD pending less 490'],
  },
  {
    name: 'a refund of an invoice whose intent comes in a separate event',
    version: '2025-06-30.basil',
    program: { commissionType: 'recurring_percent' },
    events: (stripe) => [
      stripe.invoice('one', { reason: 'subscription_create' }),
      stripe.refunded('one', 4900, { day: 1 }),
      stripe.invoicePayment('one', { day: 1 }),
    ],
    money: ['in_one 4900 USD back 4900 | Ana 980 USD reversed less 980'],
  },
  {
    name: 'a refund of a payment from months ago',
    version: '2023-10-16',
    events: (stripe) => [stripe.checkout('one'), stripe.refunded('one', 700, { day: 100 })],
    money: ['cs_one 4900 USD back 700 | Ana 980 USD approved less 140'],
  },
  {
    name: 'a refund of a payment from before the program',
    version: '2024-06-20',
    events: (stripe) => [stripe.refunded('before', 4900), stripe.checkout('one')],
    money: ['cs_one 4900 USD | Ana 980 USD pending'],
  },
  {
    name: 'a dispute that is lost',
    version: '2024-09-30.acacia',
    events: (stripe) => [
      stripe.checkout('one'),
      stripe.dispute('created', 'one', { day: 20 }),
      stripe.dispute('funds_withdrawn', 'one', { day: 20 }),
      stripe.dispute('closed', 'one', { status: 'lost', day: 60 }),
    ],
    money: ['cs_one 4900 USD back 4900 | Ana 980 USD reversed less 980'],
  },
  {
    name: 'a dispute that is won',
    version: '2025-09-30.clover',
    events: (stripe) => [
      stripe.checkout('one'),
      stripe.dispute('created', 'one', { day: 5 }),
      stripe.dispute('funds_withdrawn', 'one', { day: 5 }),
      stripe.dispute('closed', 'one', { status: 'won', day: 60 }),
      stripe.dispute('funds_reinstated', 'one', { status: 'won', day: 60 }),
    ],
    money: ['cs_one 4900 USD | Ana 980 USD approved'],
  },
  {
    name: 'a dispute that is won after a partial refund',
    version: '2025-12-15.clover',
    events: (stripe) => [
      stripe.checkout('one'),
      stripe.refunded('one', 900, { day: 1 }),
      stripe.dispute('created', 'one', { amount: 4000, day: 5 }),
      stripe.dispute('closed', 'one', { amount: 4000, status: 'won', day: 10 }),
    ],
    money: ['cs_one 4900 USD back 900 | Ana 980 USD pending less 180'],
  },
  {
    name: 'a partial dispute that stays open',
    version: '2022-11-15',
    events: (stripe) => [
      stripe.checkout('one'),
      stripe.dispute('created', 'one', { amount: 2450, day: 5 }),
      stripe.dispute('updated', 'one', { amount: 2450, status: 'under_review', day: 6 }),
    ],
    money: ['cs_one 4900 USD back 2450 | Ana 980 USD pending less 490'],
  },
  {
    name: 'a dispute before its payment',
    version: '2025-02-24.acacia',
    events: (stripe) => [stripe.dispute('created', 'one'), stripe.checkout('one')],
    money: ['cs_one 4900 USD back 4900 | Ana 980 USD reversed less 980'],
  },
  {
    name: 'a dispute opened and won before its payment is reported',
    version: '2025-03-31.basil',
    events: (stripe) => [
      stripe.dispute('closed', 'one', { status: 'won' }),
      stripe.dispute('created', 'one'),
      stripe.checkout('one'),
    ],
    money: ['cs_one 4900 USD | Ana 980 USD pending'],
  },
  {
    name: 'a bank inquiry without a withdrawal',
    version: '2023-08-16',
    events: (stripe) => [
      stripe.checkout('one'),
      stripe.dispute('created', 'one', { status: 'warning_needs_response', day: 2 }),
      stripe.dispute('closed', 'one', { status: 'warning_closed', day: 9 }),
    ],
    money: ['cs_one 4900 USD | Ana 980 USD pending'],
  },
  {
    name: 'a bank inquiry that becomes a dispute',
    version: '2024-04-10',
    events: (stripe) => [
      stripe.checkout('one'),
      stripe.dispute('created', 'one', { status: 'warning_needs_response', day: 2 }),
      stripe.dispute('funds_withdrawn', 'one', { day: 9 }),
    ],
    money: ['cs_one 4900 USD back 4900 | Ana 980 USD reversed less 980'],
  },
];
