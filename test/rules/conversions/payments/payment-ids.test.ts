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
])('the text %s counts as a Stripe payment id: %s', (text, isOne) => {
  expect(isProcessorId(text)).toBe(isOne);
});

type Sent = Parameters<typeof paymentIdsOf>[0];

it.each<[string, Sent, object]>([
  ['no Stripe id', { transactionId: 'order_1' }, { ids: [] }],
  ['a Stripe id as transaction_id', { transactionId: 'in_1' }, { ids: ['in_1'] }],
  ['an id without a provider', { transactionId: 'order_1', providerPaymentId: 'x' }, { ids: ['x'] }],
  [
    'two Stripe ids',
    { transactionId: 'in_1', provider: 'stripe', providerPaymentId: 'pi_1' },
    { ids: ['in_1', 'pi_1'] },
  ],
  ['the same id twice', { transactionId: 'in_1', providerPaymentId: 'in_1' }, { ids: ['in_1'] }],
  ['a provider only', { transactionId: 'order_1', provider: 'paddle' }, { ids: [] }],
  [
    'an id of another provider',
    { transactionId: 'in_1', provider: 'paddle', providerPaymentId: 'x' },
    { ids: ['in_1'], other: { provider: 'paddle', id: 'x' } },
  ],
])('paymentIdsOf reads the Stripe payment ids from a sale request with %s', (_, sent, ids) => {
  expect(paymentIdsOf(sent)).toEqual(ids);
});
