import { describe, expect, it } from 'vitest';
import { balancesOf } from '#lib/service/reports/exports/balances.ts';
import type { UnsettledCommission } from '#lib/service/earnings/commissions/unsettled-commission.ts';

const now = new Date('2026-11-20T15:00:00.000Z');
const program = { autoApprove: true, currency: 'USD' };
let ids = 0;
const unsettled = (changes: Partial<UnsettledCommission>): UnsettledCommission => ({
  id: ++ids,
  partnerId: 1,
  currency: 'USD',
  status: 'pending',
  holdUntil: '2026-11-25T15:00:00.000Z',
  openCents: 100,
  saleDay: '2026-11-10',
  ...changes,
});

const commissions = [
  unsettled({}),
  unsettled({ holdUntil: '2026-11-20T23:00:00.000Z', openCents: 5 }),
  unsettled({ holdUntil: '2026-11-25T01:00:00.000Z', openCents: 7 }),
  unsettled({ status: 'approved', openCents: 40 }),
  // Reduced after it was paid: later payouts withhold the difference.
  unsettled({ status: 'paid', openCents: -30 }),
  unsettled({ status: 'approved', currency: 'EUR' }),
  unsettled({ status: 'held', openCents: 60, byHand: true }),
];
const dollars = {
  pendingCents: 112,
  inReviewCents: 60,
  approvedCents: 40,
  restoredCents: 0,
  paidCents: 900,
  onTheWayCents: 500,
  heldCents: 0,
  withheldCents: 30,
  next: [
    { on: '2026-11-20', amountCents: 5 },
    { on: '2026-11-25', amountCents: 107 },
  ],
};
const euros = {
  pendingCents: 0,
  inReviewCents: 0,
  approvedCents: 100,
  restoredCents: 0,
  paidCents: 0,
  onTheWayCents: 0,
  heldCents: 0,
  withheldCents: 0,
  next: [],
};
const paidCents = { USD: 900, VND: 3 };
/** The counter of what was paid may be behind the list of what has arrived. */
const arrivedCents = { USD: 400, EUR: 1 };

it('a balance sums the pending, approved and paid amounts by currency', () => {
  expect(balancesOf(program, commissions, { paidCents, arrivedCents, now })).toEqual({
    EUR: euros,
    USD: dollars,
    VND: {
      pendingCents: 0,
      inReviewCents: 0,
      approvedCents: 0,
      restoredCents: 0,
      paidCents: 3,
      onTheWayCents: 3,
      heldCents: 0,
      withheldCents: 0,
      next: [],
    },
  });
});

it('a balance adds amounts of paid commissions that won disputes restored, and subtracts amounts still withheld for refunds', () => {
  const adjustments = [
    unsettled({ status: 'paid', openCents: 50 }),
    unsettled({ status: 'reversed', openCents: -40 }),
    unsettled({ status: 'approved', openCents: -3 }),
    unsettled({ status: 'reversed', openCents: -7, currency: 'EUR' }),
    unsettled({ status: 'approved', openCents: -2, currency: 'EUR' }),
  ];
  const { USD, EUR } = balancesOf({ ...program, payoutDays: [20] }, adjustments, { paidCents: {}, arrivedCents, now });
  expect(USD).toMatchObject({ approvedCents: 0, restoredCents: 10, withheldCents: 3, nextPayout: { amountCents: 7 } });
  const held = { paidCents: {}, arrivedCents, heldUntil: '2026-11-21T00:00:00.000Z', now };
  expect(balancesOf(program, adjustments, held)['USD']).toMatchObject({ restoredCents: 0, heldCents: 10 });
  expect(EUR).toMatchObject({ approvedCents: 0, restoredCents: 0, withheldCents: 9, nextPayout: { amountCents: 0 } });
});

it('a balance lists no dates of later approvals if the program approves by hand', () => {
  expect(
    balancesOf({ ...program, autoApprove: false }, commissions, { paidCents: {}, arrivedCents, now }).USD?.next,
  ).toEqual([]);
});

it('a balance shows the amount as on hold, not as approved, until the hold on the partner’s payouts ends', () => {
  const balances = (heldUntil: string) =>
    balancesOf(program, commissions, { paidCents: { USD: 900 }, arrivedCents, heldUntil, now });
  expect(balances('2026-11-20T15:00:00.001Z')).toEqual({
    EUR: { ...euros, approvedCents: 0, heldCents: 100 },
    USD: { ...dollars, approvedCents: 0, heldCents: 40 },
  });
  expect(balances(now.toISOString())).toEqual({ EUR: euros, USD: dollars });
});

const payoutsOn = (payoutDays: readonly number[], more: object = {}) => {
  const balances = balancesOf({ ...program, payoutDays, ...more }, commissions, { paidCents, arrivedCents, now });
  return Object.fromEntries(Object.entries(balances).map(([currency, { nextPayout }]) => [currency, nextPayout]));
};
const amountsOn = (day: string, usd: number, eur: number) => ({
  USD: { on: day, amountCents: usd },
  EUR: { on: day, amountCents: eur },
  VND: { on: day, amountCents: 0 },
});

const heldPayout = (heldUntil: string) =>
  balancesOf({ ...program, payoutDays: [21] }, commissions, { paidCents, arrivedCents, heldUntil, now }).USD
    ?.nextPayout;

describe('the forecast of a partner’s next payout', () => {
  it.each([
    ['today, with the amount due now', [20], amountsOn('2026-11-20', 10, 100)],
    ['tomorrow, with commissions that are approved before midnight', [21], amountsOn('2026-11-21', 15, 100)],
    ['on the day on which a hold ends, without that commission', [25], amountsOn('2026-11-25', 15, 100)],
    ['on the day after a hold ends, with that commission', [26], amountsOn('2026-11-26', 122, 100)],
    ['on the first of several payout days that comes', [5, 19, 26], amountsOn('2026-11-26', 122, 100)],
    ['next month, if this month’s payout day is over', [19], amountsOn('2026-12-19', 122, 100)],
  ])('is %s', (_, days, expected) => {
    expect(payoutsOn(days)).toEqual(expected);
  });

  it('is 0 in a currency whose amount is below the program’s minimum payout, and unchanged in other currencies', () => {
    expect(payoutsOn([25], { minimumPayoutCents: 16 })).toEqual(amountsOn('2026-11-25', 0, 100));
    expect(payoutsOn([25], { minimumPayoutCents: 15 })).toEqual(amountsOn('2026-11-25', 15, 100));
  });

  it('contains no pending commission if the program approves by hand', () => {
    expect(payoutsOn([26], { autoApprove: false })).toEqual(amountsOn('2026-11-26', 10, 100));
  });

  it('is 0 if the hold on the partner’s payouts ends on the day of the payout or later', () => {
    expect(heldPayout('2026-11-21T00:00:00.000Z')).toEqual({ on: '2026-11-21', amountCents: 0 });
    expect(heldPayout('2026-11-20T23:59:59.999Z')).toEqual({ on: '2026-11-21', amountCents: 15 });
  });

  it('is 0 if refunds exceed what is due to the partner', () => {
    const more = unsettled({ status: 'reversed', openCents: -500 });
    const { USD } = balancesOf({ ...program, payoutDays: [26] }, [...commissions, more], {
      paidCents,
      arrivedCents,
      now,
    });
    expect(USD?.nextPayout).toEqual({ on: '2026-11-26', amountCents: 0 });
  });

  it('is absent if the program has no payout days', () => {
    expect(payoutsOn([])).toEqual({ USD: undefined, EUR: undefined, VND: undefined });
  });
});
