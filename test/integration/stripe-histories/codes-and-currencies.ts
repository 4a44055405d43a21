import type { StripeHistory } from '#test/integration/stripe-histories/stripe-history.ts';

/** Histories with promotion codes, taxes and currencies. */

const unnamed = { signup: 'none', metadata: () => ({}) } as const;
const NET = { commissionBase: 'excluding_tax' } as const;

export const codesAndCurrencies: readonly StripeHistory[] = [
  {
    name: 'a promotion code that is reported before the payment',
    version: '2025-09-30.clover',
    ...unnamed,
    code: 'by text',
    events: (stripe) => [stripe.promotionCode('ten', 'save10'), stripe.checkout('one', { code: 'ten', amount: 4410 })],
    money: ['cs_one 4410 USD by SAVE10 | Cleo 882 USD pending'],
  },
  {
    name: 'a promotion code that is reported after the payment',
    version: '2024-06-20',
    ...unnamed,
    code: 'by text',
    events: (stripe) => [
      stripe.checkout('one', { code: 'ten', amount: 4410 }),
      stripe.promotionCode('ten', 'SAVE10', { day: 2 }),
    ],
    money: ['cs_one 4410 USD by SAVE10 | Cleo 882 USD pending'],
  },
  {
    name: 'a promotion code that is never reported',
    version: '2025-03-31.basil',
    ...unnamed,
    code: 'by text',
    events: (stripe) => [stripe.checkout('one', { code: 'ten', amount: 4410 })],
    money: ['cs_one 4410 USD lost: waiting_for_code'],
  },
  {
    name: 'a promotion code with the owner’s Stripe id',
    version: '2022-11-15',
    ...unnamed,
    code: 'by id',
    events: (stripe) => [stripe.checkout('one', { code: 'ten', amount: 4410 })],
    money: ['cs_one 4410 USD by SAVE10 | Cleo 882 USD pending'],
  },
  {
    name: 'a promotion code for a subscription, and a renewal',
    version: '2025-12-15.clover',
    ...unnamed,
    code: 'by text',
    program: { commissionType: 'recurring_percent' },
    events: (stripe) => [
      stripe.invoice('one', { code: 'ten', amount: 4410, reason: 'subscription_create' }),
      stripe.discount('ten'),
      stripe.promotionCode('ten', 'SAVE10'),
      stripe.invoice('two', { day: 30 }),
    ],
    money: ['in_one 4410 USD by SAVE10 | Cleo 882 USD approved', 'in_two 4900 USD renewal | Cleo 980 USD pending'],
  },
  {
    name: 'a promotion code with a click, with link_first',
    version: '2024-09-30.acacia',
    code: 'by id',
    events: (stripe) => [stripe.checkout('one', { code: 'ten', amount: 4410 })],
    money: ['cs_one 4410 USD by SAVE10 | Ana 882 USD pending'],
  },
  {
    name: 'a promotion code with a click, with code_first',
    version: '2025-06-30.basil',
    code: 'by id',
    program: { codePrecedence: 'code_first' },
    events: (stripe) => [stripe.checkout('one', { code: 'ten', amount: 4410 })],
    money: ['cs_one 4410 USD by SAVE10 | Cleo 882 USD pending'],
  },
  {
    name: 'a discount of the full price, and a later payment',
    version: '2024-12-18.acacia',
    ...unnamed,
    code: 'by id',
    events: (stripe) => [
      stripe.checkout('free', { code: 'ten', amount: 0, more: { payment_status: 'no_payment_required' } }),
      stripe.checkout('one', { day: 10 }),
    ],
    money: ['cs_one 4900 USD | Cleo 980 USD pending'],
  },
  {
    name: 'euros with a tax that earns commission',
    version: '2023-10-16',
    events: (stripe) => [stripe.checkout('one', { currency: 'eur', amount: 11_900, tax: 1900 })],
    money: ['cs_one 11900 EUR | Ana 2380 EUR pending'],
  },
  {
    name: 'euros with a tax that earns no commission',
    version: '2022-11-15',
    program: NET,
    events: (stripe) => [
      stripe.invoice('one', { reason: 'subscription_create', currency: 'eur', amount: 11_900, tax: 1900 }),
    ],
    money: ['in_one 11900 EUR | Ana 2000 EUR pending'],
  },
  {
    name: 'a tax that the invoice reports after the intent',
    version: '2025-03-31.basil',
    program: NET,
    events: (stripe) => [
      stripe.intent('one', { amount: 11_900 }),
      stripe.invoicePayment('one', { amount: 11_900 }),
      stripe.invoice('one', { subscription: null, amount: 11_900, tax: 1900 }),
    ],
    money: ['pi_one 11900 USD | Ana 2000 USD pending'],
  },
  {
    name: 'an invoice partly paid by a credit balance',
    version: '2025-09-30.clover',
    program: NET,
    events: (stripe) => [
      stripe.invoice('one', {
        reason: 'subscription_create',
        amount: 11_900,
        tax: 1900,
        more: { amount_paid: 5950, starting_balance: -5950 },
      }),
    ],
    money: ['in_one 5950 USD | Ana 1000 USD pending'],
  },
  {
    name: 'a half refund with a net commission',
    version: '2024-04-10',
    program: NET,
    events: (stripe) => [
      stripe.checkout('one', { amount: 11_900, tax: 1900 }),
      stripe.refunded('one', 5950, { amount: 11_900 }),
    ],
    money: ['cs_one 11900 USD back 5950 | Ana 2000 USD pending less 1000'],
  },
  {
    name: 'a currency without decimals',
    version: '2024-06-20',
    events: (stripe) => [stripe.checkout('one', { currency: 'vnd', amount: 1_249_003 })],
    money: ['cs_one 1249003 VND | Ana 249801 VND pending'],
  },
  {
    name: 'a fixed commission for a payment in another currency',
    version: '2023-08-16',
    program: { commissionType: 'fixed', commissionRate: 12.5 },
    events: (stripe) => [stripe.checkout('one', { currency: 'vnd', amount: 1_249_003 })],
    money: ['cs_one 1249003 VND | Ana 1250 USD pending'],
  },
  {
    name: 'an unsupported currency',
    version: '2025-02-24.acacia',
    events: (stripe) => [stripe.checkout('one', { currency: 'jpy', amount: 5000 })],
    money: ['cs_one 5000 JPY lost: unsupported_currency (currency JPY is not supported)'],
  },
];
