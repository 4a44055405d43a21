import { describe, expect, it } from 'vitest';
import { retriedText, unattributedAmountText } from '#lib/apps/dashboard/payments/unattributed-texts.ts';

describe('the amount of a payment without a known customer', () => {
  it.each([
    [2_900, 'USD', '$29.00'],
    [2_900, 'gbp', '£29.00'],
    [2_900, 'JPY', '¥2,900'],
    [2_900, 'KWD', 'KWD\u{A0}2.900'],
    [290_000, 'HUF', 'HUF\u{A0}2,900.00'],
    [2_900, 'XXQ', 'XXQ\u{A0}29.00'],
    [2_900, 'euros', '2900 euros'],
    [2_900, '', '2900'],
  ])('of %d %s is shown as %s', (cents, currency, text) => {
    expect(unattributedAmountText({ amount_cents: cents, currency })).toBe(text);
  });
});

it('the dashboard says whether an owner’s retry of a payment recorded a sale, and why not', () => {
  expect(retriedText({ recorded: true, reason: null })).toBe('It is recorded as a sale.');
  expect(retriedText({ recorded: false, reason: 'no_partner_relation' })).toBe(
    'Still not recorded. The customer has no partner any more: either the partner was removed, or the operator unlinked the customer.',
  );
});
