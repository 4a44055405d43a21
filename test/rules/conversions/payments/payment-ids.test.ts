import { expect, it } from 'vitest';
import { isProcessorId, paymentIdsOf } from '#lib/service/conversions/payments/payment-ids.ts';

it.each([
  ['cs_1', true],
  ['in_1', true],
  ['pi_1', true],
  ['ch_1', true],
  ['py_1', true],
  ['sub_1', false],
  ['order_1', false],
  ['min_1', false],
  ['pi1', false],
])('%s may be Stripe’s id of a payment: %s', (text, isOne) => {
  expect(isProcessorId(text)).toBe(isOne);
});

type Sent = Parameters<typeof paymentIdsOf>[0];

it.each<[string, Sent, object]>([
  ['no id of Stripe', { transactionId: 'order_1' }, { ids: [] }],
  ['one as transaction_id', { transactionId: 'in_1' }, { ids: ['in_1'] }],
  ['an id of a provider that is not named', { transactionId: 'order_1', providerPaymentId: 'x' }, { ids: ['x'] }],
  [
    'both of Stripe',
    { transactionId: 'in_1', provider: 'stripe', providerPaymentId: 'pi_1' },
    { ids: ['in_1', 'pi_1'] },
  ],
  ['one and the same', { transactionId: 'in_1', providerPaymentId: 'in_1' }, { ids: ['in_1'] }],
  ['a provider alone', { transactionId: 'order_1', provider: 'paddle' }, { ids: [] }],
  [
    'an id of another provider',
    { transactionId: 'in_1', provider: 'paddle', providerPaymentId: 'x' },
    { ids: ['in_1'], other: { provider: 'paddle', id: 'x' } },
  ],
])('the ids of a payment with %s', (_, sent, ids) => {
  expect(paymentIdsOf(sent)).toEqual(ids);
});
