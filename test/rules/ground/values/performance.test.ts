import { expect, it } from 'vitest';
import { performanceOf } from '#lib/service/ground/values/performance.ts';

const usd = (cents: number) => ({
  USD: { revenueCents: cents, refundedCents: 0, commissionCents: cents / 5, rejectedCents: 2, platformFeeCents: -1 },
});

it('performanceOf sums the days of a period and of the period before it, per currency', () => {
  const kwd = {
    KWD: { revenueCents: 7, refundedCents: 7, commissionCents: -3, rejectedCents: 0, platformFeeCents: 0 },
  };
  const counted = [
    { date: '2026-10-31', clicks: 5, botClicks: 0, repeatClicks: 0, leads: 0, sales: 1, amounts: usd(100) },
    {
      date: '2026-11-01',
      clicks: 1,
      botClicks: 0,
      repeatClicks: 0,
      leads: 2,
      sales: 3,
      amounts: { ...usd(500), ...kwd },
    },
    { date: '2026-11-02', clicks: 1, botClicks: 0, repeatClicks: 0, leads: 0, sales: 1, amounts: usd(1000) },
  ];
  expect(performanceOf({ from: '2026-11-01', to: '2026-11-02' }, counted)).toEqual({
    from: '2026-11-01',
    to: '2026-11-02',
    days: counted.slice(1),
    totals: {
      clicks: 2,
      botClicks: 0,
      repeatClicks: 0,
      leads: 2,
      sales: 4,
      amounts: {
        USD: { revenueCents: 1500, refundedCents: 0, commissionCents: 300, rejectedCents: 4, platformFeeCents: -2 },
        ...kwd,
      },
    },
    previous: {
      from: '2026-10-30',
      to: '2026-10-31',
      totals: { clicks: 5, botClicks: 0, repeatClicks: 0, leads: 0, sales: 1, amounts: usd(100) },
    },
  });
});
