import { describe, expect, it } from 'vitest';
import { mayCountTwice } from '#lib/domain/double-count.ts';
import { warningOfClick } from '#lib/domain/warning-of-click.ts';

describe('why a click id finds nobody', () => {
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
  ] as const)('%s of %j is %s', (id, stored, expected) => {
    expect(warningOfClick(id, stored, 7)).toBe(expected);
  });
});

describe('a sale may count twice', () => {
  const connected = { connectedAt: '', accountId: 'acct_1' };
  const sale = { transactionId: 'order_1' };

  it('where the processor is connected, and nothing names the payment there', () => {
    expect(mayCountTwice(sale, connected)).toBe(true);
    expect(mayCountTwice(sale, { connectedAt: '', signingSecrets: [{ sealed: 's' }] })).toBe(true);
    expect(mayCountTwice({ transactionId: 'inv_1' }, connected)).toBe(true);
  });

  it.each<readonly [string, Partial<Parameters<typeof mayCountTwice>[0]>]>([
    ['provider', { provider: 'paypal' }],
    ['payment id', { providerPaymentId: 'pi_1' }],
    ...['cs_1', 'in_1', 'pi_1', 'ch_1', 'py_1'].map((id) => ['id of Stripe', { transactionId: id }] as const),
  ])('not with a %s: %j', (_, more) => {
    expect(mayCountTwice({ ...sale, ...more }, connected)).toBe(false);
  });

  it('not without a connected processor', () => {
    expect(mayCountTwice(sale, undefined)).toBe(false);
    expect(mayCountTwice(sale, { connectedAt: '' })).toBe(false);
  });
});
