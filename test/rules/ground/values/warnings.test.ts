import { describe, expect, it } from 'vitest';
import { mayCountTwice } from '#lib/service/conversions/sales/double-count.ts';
import { warningOfClick } from '#lib/service/traffic/clicks/warning-of-click.ts';

describe('the warning that explains why a sent click id matches no customer', () => {
  const click = { programId: 7 };
  it.each([
    ['clk_1', undefined, 'unknown_click'],
    ['clk_test_1', undefined, 'test_click'],
    ['clk_1', { ...click, isTest: true }, 'test_click'],
    ['clk_1', { programId: 8, isTest: true }, 'test_click'],
    ['clk_1', { ...click, quality: 'bot' }, 'bot_click'],
    ['clk_1', { ...click, quality: 'preview' }, 'bot_click'],
    ['clk_1', { programId: 8, quality: 'bot' }, 'other_program_click'],
    ['clk_1', { programId: 8 }, 'other_program_click'],
    ['clk_1', { ...click, erasedAt: '2026-11-20' }, 'unknown_click'],
    ['clk_1', { ...click, unlinkedAt: '2026-11-20' }, 'unknown_click'],
    ['clk_1', { ...click, quality: 'repeat' }, undefined],
    ['clk_1', click, undefined],
  ] as const)('for the click id %s, stored as %j, is %s', (id, stored, expected) => {
    expect(warningOfClick(id, stored, 7)).toBe(expected);
  });
});

describe('the warning possible_double_count for a sale sent by the API', () => {
  const connected = { connectedAt: '', accountId: 'acct_1' };
  const sale = { transactionId: 'order_1' };

  it('is given if the processor is connected and no payment id is sent', () => {
    expect(mayCountTwice(sale, connected)).toBe(true);
    expect(mayCountTwice(sale, { connectedAt: '', signingSecrets: [{ sealed: 's' }] })).toBe(true);
    expect(mayCountTwice({ transactionId: 'inv_1' }, connected)).toBe(true);
  });

  type Sent = Partial<Parameters<typeof mayCountTwice>[0]>;

  it.each<readonly [string, Sent]>([
    ['Stripe as provider and no id', { provider: 'stripe' }],
    ['a payment id that cannot be Stripe’s', { providerPaymentId: 'shop-7' }],
    [
      'Stripe as provider and a payment id that cannot be Stripe’s',
      { provider: 'stripe', providerPaymentId: 'shop-7' },
    ],
    ['a subscription id, which identifies no payment', { providerPaymentId: 'sub_1' }],
  ])('is given with %s', (_, more) => {
    expect(mayCountTwice({ ...sale, ...more }, connected)).toBe(true);
  });

  const ids = ['cs_1', 'in_1', 'pi_1', 'ch_1', 'py_1'];

  it.each<readonly [string, Sent]>([
    ['another provider', { provider: 'paypal' }],
    ['another provider and its id', { provider: 'paypal', providerPaymentId: 'shop-7' }],
    ...ids.map((id) => ['a payment id of Stripe', { providerPaymentId: id }] as const),
    ...ids.map((id) => ['an id of Stripe', { transactionId: id }] as const),
    ['a Stripe id beside another one', { transactionId: 'in_1', provider: 'stripe', providerPaymentId: 'shop-7' }],
  ])('is not given with %s: %j', (_, more) => {
    expect(mayCountTwice({ ...sale, ...more }, connected)).toBe(false);
  });

  it('is not given without a connected processor', () => {
    expect(mayCountTwice(sale, undefined)).toBe(false);
    expect(mayCountTwice(sale, { connectedAt: '' })).toBe(false);
  });
});
