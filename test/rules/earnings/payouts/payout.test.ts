import { expect, it } from 'vitest';
import { joinedClaims, type Payout, progressOf } from '#lib/service/earnings/payouts/payout.ts';

const open: Payout = {
  id: 9,
  programId: 1,
  status: 'open',
  steps: 1,
  createdAt: '2026-11-20T15:00:00.000Z',
  createdBy: 'account:1',
};
const usd = { lines: 2, commissions: 5, amountCents: 980 };

it.each([
  ['its plan and what it contains so far', { sums: { USD: usd }, planned: 12 }, { commissions: 5, of: 12 }],
  ['what it contains, if that is more than its plan', { sums: { USD: usd }, planned: 3 }, { commissions: 5, of: 5 }],
  [
    'its items, if it was begun by version 1',
    { items: [{ partnerId: 2, currency: 'USD', amountCents: 980, commissions: 4 }] },
    { commissions: 4, of: 4 },
  ],
])('the progress of an unfinished payout is computed from %s', (_, stored, progress) => {
  expect(progressOf({ ...open, ...stored })).toEqual(progress);
});

it('the commissions that a payout claims in several steps are joined to one entry per partner and currency, sorted by id', () => {
  const claim = { partnerId: 10, currency: 'USD', amountCents: 5, commissionIds: [7, 3] };
  expect(joinedClaims([claim, { ...claim, partnerId: 9 }, { ...claim, amountCents: 2, commissionIds: [1] }])).toEqual([
    { partnerId: 9, currency: 'USD', amountCents: 5, commissionIds: [3, 7] },
    { partnerId: 10, currency: 'USD', amountCents: 7, commissionIds: [1, 3, 7] },
  ]);
});
