import type { StripeEvent } from '#test/support/stripe/stripe.ts';
import type { StripeHistory } from '#test/integration/stripe-histories/stripe-history.ts';

/** Histories with other events at an endpoint, in other orders and repeated, and with events that are no sale. */

const RENEWALS_TOO = { commissionType: 'recurring_percent' } as const;

/** A thin event, as Stripe sends it: it names its object without containing it. */
const thin = (id: string, created: string): StripeEvent =>
  ({
    id,
    object: 'v2.core.event',
    type: 'v1.billing.meter.error_report_triggered',
    created,
    livemode: true,
    related_object: { id: 'mtr_1', type: 'billing.meter', url: '/v1/billing/meters/mtr_1' },
  }) as unknown as StripeEvent;

const lived: StripeHistory['events'] = (stripe) => [
  stripe.checkout('one', { subscription: 'sub' }),
  stripe.invoice('one', { reason: 'subscription_create' }),
  stripe.invoicePayment('one'),
  stripe.refunded('one', 2450, { day: 2 }),
  stripe.dispute('created', 'one', { amount: 1225, day: 3 }),
  stripe.dispute('closed', 'one', { amount: 1225, status: 'won', day: 9 }),
];
const money = ['in_one 4900 USD back 2450 | Ana 980 USD pending less 490'];

export const oddDeliveries: readonly StripeHistory[] = [
  { name: 'every event once, in order', version: '2025-09-30.clover', events: lived, money },
  {
    name: 'every event three times',
    version: '2025-06-30.basil',
    events: (...of) => lived(...of).flatMap((event) => [event, event, event]),
    money,
  },
  {
    name: 'all events in reversed order',
    version: '2025-12-15.clover',
    events: (...of) => lived(...of).toReversed(),
    money,
  },
  {
    name: 'all events in reversed order, in an older version',
    version: '2023-10-16',
    events: (...of) => lived(...of).toReversed(),
    money,
  },
  {
    name: 'thin events among the others',
    version: '2024-09-30.acacia',
    events: (stripe) => [thin(stripe.id('evt', 'thin'), '2026-11-20T15:00:30.000Z'), stripe.checkout('one')],
    money: ['cs_one 4900 USD | Ana 980 USD pending'],
  },
  {
    name: 'irrelevant events',
    version: '2024-04-10',
    events: (stripe) => [
      stripe.event('customer.created', { id: stripe.customer(), object: 'customer' }, {}),
      stripe.event('balance.available', { object: 'balance' }, {}),
      stripe.invoice('one', { type: 'invoice.created', reason: 'subscription_create' }),
      stripe.invoice('one', { type: 'invoice.finalized', reason: 'subscription_create' }),
      stripe.invoice('one', { type: 'invoice.payment_failed', reason: 'subscription_create' }),
    ],
    money: [],
  },
  {
    name: 'events of test mode',
    version: '2025-03-31.basil',
    events: (stripe) => [
      stripe.checkout('try', { livemode: false }),
      stripe.refunded('try', 4900, { livemode: false }),
      stripe.checkout('one', { day: 1 }),
    ],
    money: ['cs_one 4900 USD | Ana 980 USD pending', 'cs_try 4900 USD test back 4900 | nothing'],
  },
  {
    name: 'events that name a connected account',
    version: '2024-12-18.acacia',
    events: (stripe) => [
      stripe.checkout('one', { account: 'acct_any' }),
      stripe.refunded('one', 490, { account: 'acct_any' }),
    ],
    money: ['cs_one 4900 USD back 490 | Ana 980 USD pending less 98'],
  },
  {
    name: 'metadata with a numeric program id',
    version: '2022-11-15',
    metadata: (named, programId) => ({ ...named, program_id: String(programId) }),
    events: (stripe) => [stripe.checkout('one')],
    money: ['cs_one 4900 USD | Ana 980 USD pending'],
  },
  {
    name: 'an unknown click',
    version: '2024-06-20',
    metadata: () => ({ service_click_id: 'clk_unknown' }),
    events: (stripe) => [stripe.checkout('one')],
    money: ['cs_one 4900 USD lost: unknown_click'],
  },
  {
    name: 'an unknown customer key',
    version: '2025-02-24.acacia',
    metadata: () => ({ service_customer_key: 'somebody' }),
    events: (stripe) => [stripe.checkout('one')],
    money: [],
  },
  {
    name: 'a payment outside the attribution window',
    version: '2023-08-16',
    signup: 'none',
    program: { attributionWindowDays: 30 },
    events: (stripe) => [stripe.checkout('late', { day: 31 })],
    money: ['cs_late 4900 USD lost: attribution_window_expired'],
  },
  {
    name: 'a payment long after a sign-up within the window',
    version: '2025-09-30.clover',
    program: { attributionWindowDays: 30 },
    events: (stripe) => [stripe.checkout('one', { day: 200 })],
    money: ['cs_one 4900 USD | Ana 980 USD pending'],
  },
  {
    name: 'a payment by a removed partner’s customer',
    version: '2024-04-10',
    isRemoved: true,
    events: (stripe) => [stripe.checkout('one')],
    money: ['cs_one 4900 USD lost: no_partner_relation'],
  },
  {
    name: 'renewals after the paid months',
    version: '2022-11-15',
    program: { ...RENEWALS_TOO, durationMonths: 1 },
    events: (stripe) => [
      stripe.invoice('one', { reason: 'subscription_create' }),
      stripe.invoice('two', { day: 29 }),
      stripe.invoice('three', { day: 31 }),
    ],
    money: [
      'in_one 4900 USD | Ana 980 USD approved',
      'in_three 4900 USD renewal | nothing',
      'in_two 4900 USD renewal | Ana 980 USD pending',
    ],
  },
  {
    name: 'a partly refunded renewal',
    version: '2025-12-15.clover',
    program: RENEWALS_TOO,
    events: (stripe) => [
      stripe.invoice('one', { reason: 'subscription_create' }),
      stripe.invoice('two', { day: 30 }),
      stripe.invoicePayment('two', { day: 30 }),
      stripe.refunded('two', 4899, { day: 33 }),
    ],
    money: [
      'in_one 4900 USD | Ana 980 USD approved',
      'in_two 4900 USD renewal back 4899 | Ana 980 USD pending less 980',
    ],
  },
];
