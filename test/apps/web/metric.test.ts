import { describe, expect, it } from 'vitest';
import { clickMetricsOf, currenciesOf, currencyShown, metricsOf } from '#lib/apps/web/report/metric.ts';
import { leftOutText } from '#lib/apps/web/report/left-out.ts';
import type { Performance, Totals } from '#lib/wire/reports/performance.ts';

const amounts = (revenueCents: number, commissionCents: number, refundedCents = 0) => ({
  revenue_cents: revenueCents,
  refunded_cents: refundedCents,
  commission_cents: commissionCents,
  rejected_cents: 0,
  platform_fee_cents: 0,
});

const performance = (
  now: Totals['amounts'],
  before: Totals['amounts'],
  days: readonly Totals['amounts'][] = [now],
): Performance => ({
  from: '2026-11-01',
  to: '2026-11-02',
  days: days.map((each, index) => ({
    date: `2026-11-0${index + 1}`,
    clicks: 0,
    bot_clicks: 0,
    repeat_clicks: 0,
    leads: 0,
    sales: 0,
    amounts: each,
  })),
  totals: { clicks: 3, bot_clicks: 0, repeat_clicks: 0, leads: 2, sales: 1, amounts: now },
  previous: {
    from: '2026-10-30',
    to: '2026-10-31',
    totals: { clicks: 0, bot_clicks: 0, repeat_clicks: 0, leads: 0, sales: 0, amounts: before },
  },
});

const shown = (of: Performance, currency = 'USD') =>
  metricsOf(of, currency).map((metric) => [metric.title, metric.text(metric.of(of.totals))]);

it('a chart shows amounts of 0 in US dollars if nothing was sold yet', () => {
  expect(shown(performance({}, {}))).toEqual([
    ['Clicks', '3'],
    ['Leads', '2'],
    ['Sales', '1'],
    ['Revenue', '$0.00'],
    ['Commission', '$0.00'],
  ]);
});

it('a chart shows amounts in one currency', () => {
  const of = performance({ USD: amounts(4_900, -980) }, { EUR: amounts(1, 1) });
  expect(shown(of, 'USD').slice(3)).toEqual([
    ['Revenue', '$49.00'],
    ['Commission', '-$9.80'],
  ]);
  expect(shown(of, 'EUR').slice(3)).toEqual([
    ['Revenue', '€0.00'],
    ['Commission', '€0.00'],
  ]);
});

it('a chart says how much more there is in other currencies', () => {
  const of = performance({ USD: amounts(4_900, 980), EUR: amounts(76_200, 0), GBP: amounts(300, 1) }, {});
  const leftOut = metricsOf(of, 'USD').map(({ title, leftOut: text }) => [title, text?.(of.totals)]);
  expect(leftOut).toEqual([
    ['Clicks', undefined],
    ['Leads', undefined],
    ['Sales', undefined],
    ['Revenue', '+ €762.00 + £3.00'],
    ['Commission', '+ £0.01'],
  ]);
});

it('a chart shows refunds only in currencies that had refunds in this or the previous period', () => {
  const of = performance({ EUR: amounts(4_900, 490, 4_900), USD: amounts(100, 10) }, { VND: amounts(0, 0, 100) });
  const refunds = (currency: string) => shown(of, currency).filter(([title]) => title === 'Refunded');
  expect(refunds('EUR')).toEqual([['Refunded', '€49.00']]);
  expect(refunds('VND')).toEqual([['Refunded', '₫0']]);
  expect(refunds('USD')).toEqual([]);
});

it('a chart shows refunds if a dispute was opened and won within the period', () => {
  const days = [{ USD: amounts(0, -980, 4_900) }, { USD: amounts(0, 980, -4_900) }];
  expect(shown(performance({ USD: amounts(0, 0) }, {}, days))).toContainEqual(['Refunded', '$0.00']);
});

it('a chart shows clicks by quality if this or the previous period has clicks of bots, previews or repeated visits', () => {
  const of = performance({}, {});
  const named = (now: Partial<Totals>, before: Partial<Totals> = {}) =>
    clickMetricsOf({
      ...of,
      totals: { ...of.totals, ...now },
      previous: { ...of.previous, totals: { ...of.previous.totals, ...before } },
    }).map((metric) => [metric.title, metric.of({ ...of.totals, ...now })]);
  expect(named({})).toEqual([]);
  expect(named({ bot_clicks: 3 }, { repeat_clicks: 2 })).toEqual([
    ['Repeat clicks', 0],
    ['Bots and previews', 3],
  ]);
  const { bot_clicks: _bots, repeat_clicks: _repeats, ...partners } = of.totals;
  expect(clickMetricsOf({ ...of, totals: partners, previous: { ...of.previous, totals: partners } })).toEqual([]);
});

describe('the currency in which a chart shows amounts', () => {
  const both = performance({ USD: amounts(1, 1) }, { EUR: amounts(1, 1) });
  const euros = performance({ EUR: amounts(1, 1) }, {});

  it('can be each currency with amounts in this or the previous period', () => {
    expect(currenciesOf(both)).toEqual(['EUR', 'USD']);
    expect(currenciesOf(performance({}, {}))).toEqual([]);
  });

  it.each<[string, Performance | undefined, string, string]>([
    ['the chosen one', both, 'EUR', 'EUR'],
    ["the program's own if none was chosen", both, '', 'USD'],
    ["the program's own if the chosen one did not occur", both, 'VND', 'USD'],
    ['one that occurred if neither did', euros, 'VND', 'EUR'],
    ["the program's own if nothing occurred", performance({}, {}), 'EUR', 'USD'],
    ['the chosen one until the currencies are loaded', undefined, 'EUR', 'EUR'],
    ['never an invalid code', undefined, '<b>', 'USD'],
  ])('is %s', (_, of, chosen, currency) => {
    expect(currencyShown(of, chosen, 'USD')).toBe(currency);
  });

  it('can be a currency that only other parts of the page contain', () => {
    expect(currencyShown(both, 'VND', 'USD', ['VND'])).toBe('VND');
    expect(currencyShown(performance({}, {}), '', 'USD', ['VND'])).toBe('VND');
  });
});

it('the amounts in other currencies have a sign each, and none is left out but zero', () => {
  expect(leftOutText({ USD: 100, EUR: -90, GBP: 300, VND: 0 }, 'USD')).toBe('- €0.90 + £3.00');
});
