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
  it('count as ready the approved amounts and the amounts restored by won disputes, less the amounts to withhold', () => {
    const balance = {
      ...nothing,
      approvedCents: 500,
      restoredCents: 980,
      withheldCents: 80,
      paidCents: 700,
      onTheWayCents: 70,
    };
    expect(overviewAmounts({ USD: balance }, {})).toEqual({
      USD: {
        earnedCents: 0,
        pendingCents: 0,
        inReviewCents: 0,
        readyCents: 1_400,
        heldBackCents: 0,
        paidCents: 700,
        onTheWayCents: 70,
      },
    });
  });
});

describe('isOwed, which decides whether a partner is owed money,', () => {
  it.each(['pendingCents', 'inReviewCents', 'approvedCents', 'restoredCents', 'heldCents'] as const)(
    'is true if the balance in any currency has an amount in %s',
    (name) => {
      expect(isOwed({ EUR: nothing, USD: { ...nothing, [name]: 1 } })).toBe(true);
    },
  );

  it('is false if everything was paid, even if an amount must still be withheld, and without any balance', () => {
    expect(isOwed({ USD: { ...nothing, paidCents: 980, onTheWayCents: 980, withheldCents: 10 } })).toBe(false);
    expect(isOwed({})).toBe(false);
  });
});
