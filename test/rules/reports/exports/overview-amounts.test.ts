import { describe, expect, it } from 'vitest';
import type { PartnerBalance } from '#lib/service/reports/exports/balances.ts';
import { isOwed, overviewAmounts } from '#lib/service/reports/exports/overview-amounts.ts';

const nothing: PartnerBalance = {
  pendingCents: 0,
  inReviewCents: 0,
  approvedCents: 0,
  restoredCents: 0,
  paidCents: 0,
  onTheWayCents: 0,
  heldCents: 0,
  withheldCents: 0,
  next: [],
};

describe('the amounts of money on a partner’s overview', () => {
  it('show as ready the approved amounts and those that won disputes restored, less the amounts that payouts withhold', () => {
    const balance = { ...nothing, approvedCents: 500, restoredCents: 980, withheldCents: 80, paidCents: 700 };
    expect(overviewAmounts({ USD: balance }, {})).toEqual({
      USD: { earnedCents: 0, pendingCents: 0, inReviewCents: 0, readyCents: 1_400, heldBackCents: 0, paidCents: 700 },
    });
  });
});

describe('a partner is owed money', () => {
  it.each(['pendingCents', 'inReviewCents', 'approvedCents', 'restoredCents', 'heldCents'] as const)(
    'if the balance in any currency has an amount in %s',
    (name) => {
      expect(isOwed({ EUR: nothing, USD: { ...nothing, [name]: 1 } })).toBe(true);
    },
  );

  it('but not if all was paid, or if there is only an amount to withhold', () => {
    expect(isOwed({ USD: { ...nothing, paidCents: 980, onTheWayCents: 980, withheldCents: 10 } })).toBe(false);
    expect(isOwed({})).toBe(false);
  });
});
