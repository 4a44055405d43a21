import type { StripeHistory } from '#test/integration/stripe-histories/stripe-history.ts';

/** Histories of payments intended for the program that did not reach it. */

export const lostPayments: readonly StripeHistory[] = [
  {
    name: 'metadata of another program',
    version: '2024-04-10',
    metadata: (named) => ({ ...named, program_id: '999999999' }),
    events: (stripe) => [stripe.checkout('one')],
    money: ['cs_one 4900 USD lost: other_program (The metadata name program 999999999.)'],
  },
  {
    name: 'metadata of another program without a customer',
    version: '2025-03-31.basil',
    metadata: () => ({ service_customer_key: 'somebody', program_id: '999999999' }),
    events: (stripe) => [stripe.checkout('one')],
    money: [],
  },
  {
    name: 'metadata with a missing word',
    version: '2025-09-30.clover',
    metadata: ({ service_customer_key: key }) => ({ customer_key: key }),
    events: (stripe) => [stripe.checkout('one')],
    money: [
      'cs_one 4900 USD lost: misspelt_metadata (The metadata have customer_key. Did you mean service_customer_key?)',
    ],
  },
  {
    name: 'metadata in another spelling',
    version: '2022-11-15',
    metadata: ({ service_click_id: clickId }) => ({ serviceClickId: clickId }),
    events: (stripe) => [stripe.intent('one'), stripe.checkout('one')],
    money: [
      'cs_one 4900 USD lost: misspelt_metadata (The metadata have serviceClickId. Did you mean service_click_id?)',
      'pi_one 4900 USD lost: misspelt_metadata (The metadata have serviceClickId. Did you mean service_click_id?)',
    ],
  },
  {
    name: 'misspelt metadata with a matching e-mail address',
    version: '2024-12-18.acacia',
    metadata: ({ service_click_id: clickId }) => ({ click_id: clickId }),
    events: (stripe) => [stripe.checkout('one', { email: stripe.address })],
    money: ['cs_one 4900 USD | Ana 980 USD pending'],
  },
];
