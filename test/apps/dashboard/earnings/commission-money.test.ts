import { describe, expect, it } from 'vitest';
import { bpsText, dueOf, feeCents, feeText, rateText } from '#lib/apps/dashboard/sale/commission-money.ts';

const none = { minimum_payout_cents: 0, currency: 'USD' };
const due = (paying: Omit<Parameters<typeof dueOf>[0], 'currency'>, minimum = none) =>
  dueOf({ ...paying, currency: 'USD' }, minimum);

describe('the amount to be paid for a commission', () => {
  it('is shown as “once it is approved” if the commission is pending', () => {
    expect(due({ status: 'pending', payable_cents: 980, paid_out_cents: 0 })).toEqual({
      name: 'To be paid',
      cents: 980,
      text: 'once it is approved',
    });
  });

  it('is shown as “with the next payout” if the commission is approved, or if only a part of it was paid', () => {
    const next = { name: 'To be paid', cents: 980, text: 'with the next payout' };
    expect(due({ status: 'approved', payable_cents: 980, paid_out_cents: 0 })).toEqual(next);
    expect(due({ status: 'paid', payable_cents: 1_000, paid_out_cents: 20 })).toEqual(next);
  });

  it('is shown with the minimum payout as a condition if the commission is in the program’s currency', () => {
    const approved = { status: 'approved', payable_cents: 980, paid_out_cents: 0 } as const;
    const minimum = { minimum_payout_cents: 2_000, currency: 'USD' };
    expect(due(approved, minimum)!.text).toBe('with the next payout, if at least $20.00 is due to the partner');
    expect(due(approved, { ...minimum, currency: 'EUR' })!.text).toBe('with the next payout');
  });

  it('is shown as withheld from the next payout if the commission was reduced after it was paid', () => {
    const back = { name: 'To be taken back', cents: 200, text: 'by the next payout to this partner' };
    expect(due({ status: 'paid', payable_cents: 780, paid_out_cents: 980 })).toEqual(back);
    expect(due({ status: 'reversed', payable_cents: 0, paid_out_cents: 200 })).toEqual(back);
  });

  it.each([
    { status: 'paid', payable_cents: 980, paid_out_cents: 980 },
    { status: 'rejected', payable_cents: 980, paid_out_cents: 0 },
    { status: 'reversed', payable_cents: 0, paid_out_cents: 0 },
  ] as const)('is not shown if nothing will be paid or withheld: %o', (commission) => {
    expect(due(commission)).toBeUndefined();
  });
});

describe('the text about the rate of a commission', () => {
  it.each([
    ['percent', 20, '20% of the sale'],
    ['recurring_percent', 12.5, '12.5% of the sale'],
    ['recurring_fixed', 5, 'a fixed amount of $5.00'],
  ] as const)('says, for %s %d: %s', (type, rate, text) => {
    const sale = { amount_cents: 4900, base_cents: 4900, currency: 'USD' };
    expect(rateText({ commission_type: type, commission_rate: rate, currency: 'USD' }, sale)).toBe(text);
  });

  it('says that the amount is without tax, if it is', () => {
    const sale = { amount_cents: 11_900, base_cents: 10_000, currency: 'EUR' };
    const rate = { commission_type: 'percent', commission_rate: 20, currency: 'EUR' } as const;
    expect(rateText(rate, sale)).toBe('20% of €100.00, the sale without its tax');
    expect(rateText({ ...rate, commission_type: 'fixed' }, sale)).toBe('a fixed amount of €20.00');
    expect(rateText({ ...rate, commission_type: 'fixed', currency: 'VND' }, sale)).toBe('a fixed amount of ₫20');
  });

  it('shows a platform fee of 350 basis points as 3.5%', () => {
    expect(bpsText(350)).toBe('3.5%');
    expect(bpsText(7)).toBe('0.07%');
  });
});

it('feeCents returns the platform fee less its reduction by refunds', () => {
  expect(feeCents({ amount_cents: 172, reduced_cents: 35, bps: 350, currency: 'EUR' })).toBe(137);
});

describe('the explanation of the platform fee', () => {
  const platform_fee = { amount_cents: 700, reduced_cents: 0, bps: 350, currency: 'USD' };
  const at = '2026-11-01T00:00:00.000Z';

  it.each([
    ['held', at, null, 'The operator of this service charges it to you only once the commission is released.'],
    ['rejected', at, null, 'It is not charged to you: the commission was rejected while it was held for review.'],
    [
      'rejected',
      at,
      at,
      'The operator of this service charges it to you; the partner’s commission is not reduced by it.',
    ],
    [
      'rejected',
      null,
      null,
      'The operator of this service charges it to you; the partner’s commission is not reduced by it.',
    ],
    ['paid', at, at, 'The operator of this service charges it to you; the partner’s commission is not reduced by it.'],
  ] as const)(
    'says when and to whom it is charged if the commission has the status %s, held_at %s and released_at %s',
    (status, held_at, released_at, text) => {
      const commission = { status, held_at, released_at, platform_fee };
      expect(feeText(commission)).toBe(`3.5% of the sale. ${text}`);
      const reduced = { ...commission, platform_fee: { ...platform_fee, reduced_cents: 100 } };
      expect(feeText(reduced)).toBe(`3.5% of the sale, less the refunded part. ${text}`);
    },
  );
});
