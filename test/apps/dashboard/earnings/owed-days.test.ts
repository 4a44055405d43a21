import { expect, it } from 'vitest';
import { dueDays, dueDayText, owedAmounts } from '#lib/apps/dashboard/payouts/due/owed-days.ts';
import type { OwedAmounts } from '#lib/wire/earnings/payout.ts';

const owed = (dueNowCents: number, ...byDate: OwedAmounts['by_date']): OwedAmounts => ({
  pending_cents: 0,
  approved_cents: 0,
  held_cents: 0,
  due_now_cents: dueNowCents,
  balance_cents: 0,
  by_date: byDate,
});

it('the days on which amounts become due form one list for all currencies, earliest day first', () => {
  const euros = owed(0, { on: '2026-12-05', amount_cents: 1 }, { on: '2026-12-07', amount_cents: 2 });
  const dollars = owed(0, { on: '2026-12-06', amount_cents: 3 }, { on: '2026-12-07', amount_cents: 4 });
  expect(dueDays({ EUR: euros, USD: dollars })).toEqual([
    { on: '2026-12-05', amounts: { EUR: 1 } },
    { on: '2026-12-06', amounts: { USD: 3 } },
    { on: '2026-12-07', amounts: { EUR: 2, USD: 4 } },
  ]);
  expect(dueDays({})).toEqual([]);
});

it('the amount due now is shown only in currencies in which something is due', () => {
  expect(owedAmounts({ EUR: owed(0), USD: owed(980) }, 'due_now_cents')).toEqual({ USD: 980 });
});

it.each([
  ['2026-12-05', 'Dec 5, 2026'],
  ['2027-02-17', 'Feb 17, 2027'],
  ['2027-02-18', 'Feb 18, 2027 or later'],
])('the due day %s is shown as %s', (on, text) => {
  expect(dueDayText(on, '2026-11-20')).toBe(text);
});
