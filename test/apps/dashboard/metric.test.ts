import { expect, it } from 'vitest';
import { metricsOf } from '#lib/apps/dashboard/overview/metric.ts';
import type { Performance, Totals } from '#lib/wire/performance.ts';

const amounts = (revenueCents: number, commissionCents: number, refundedCents = 0) => ({
  revenue_cents: revenueCents,
  refunded_cents: refundedCents,
  commission_cents: commissionCents,
  platform_fee_cents: 0,
});

const performance = (
  now: Totals['amounts'],
  before: Totals['amounts'],
  days: readonly Totals['amounts'][] = [now],
): Performance => ({
  from: '2026-11-01',
  to: '2026-11-02',
  days: days.map((each, index) => ({ date: `2026-11-0${index + 1}`, clicks: 0, leads: 0, sales: 0, amounts: each })),
  totals: { clicks: 3, leads: 2, sales: 1, amounts: now },
  previous: { from: '2026-10-30', to: '2026-10-31', totals: { clicks: 0, leads: 0, sales: 0, amounts: before } },
});

const shown = (of: Performance) => metricsOf(of).map((metric) => [metric.title, metric.text(metric.of(of.totals))]);

it('counts dollars while nothing was sold', () => {
  expect(shown(performance({}, {}))).toEqual([
    ['Clicks', '3'],
    ['Leads', '2'],
    ['Sales', '1'],
    ['Revenue', '$0.00'],
    ['Commission', '$0.00'],
  ]);
});

it('keeps currencies apart, those of the period before included', () => {
  expect(shown(performance({ USD: amounts(4_900, -980) }, { EUR: amounts(1, 1) })).slice(3)).toEqual([
    ['Revenue (EUR)', '€0.00'],
    ['Revenue (USD)', '$49.00'],
    ['Commission (EUR)', '€0.00'],
    ['Commission (USD)', '-$9.80'],
  ]);
});

it('shows refunds, now or before, in their currency only', () => {
  const of = performance({ EUR: amounts(4_900, 490, 4_900), USD: amounts(100, 10) }, { VND: amounts(0, 0, 100) });
  expect(shown(of).filter(([title]) => title!.startsWith('Refunded'))).toEqual([
    ['Refunded (EUR)', '€49.00'],
    ['Refunded (VND)', '₫0'],
  ]);
});

it('shows a dispute that was opened and won within the period', () => {
  const days = [{ USD: amounts(0, -980, 4_900) }, { USD: amounts(0, 980, -4_900) }];
  expect(shown(performance({ USD: amounts(0, 0) }, {}, days))).toContainEqual(['Refunded', '$0.00']);
});
