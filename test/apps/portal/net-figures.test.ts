import { expect, it } from 'vitest';
import { takenText, netFigures } from '#lib/apps/portal/overview/net-figures.ts';
import type { Performance, Totals } from '#lib/apps/web/report/performance.ts';

const USD = { revenue_cents: 9_800, refunded_cents: 1_200, commission_cents: 1_720, rejected_cents: 580 };
const performance = (amounts: Totals['amounts']): Performance => {
  const totals = { clicks: 3, leads: 2, sales: 1, amounts };
  return { from: '2026-11-01', to: '2026-11-01', days: [], totals, previous: { from: '', to: '', totals } };
};

it('a partner’s figures leave out refunded and rejected amounts, and a note states the amounts left out', () => {
  const of = performance({ USD });
  const shown = netFigures(of, 'USD').map((metric) => [metric.title, metric.text(metric.of(of.totals))]);
  expect(shown).toEqual([
    ['Earned', '$11.40'],
    ['Clicks', '3'],
    ['Signups', '2'],
    ['Sales', '1'],
    ['Revenue', '$86.00'],
  ]);
  expect(takenText(of, 'USD')).toBe('$12.00 refunded, $5.80 not accepted');
});

it('a partner’s figures show a net loss in another currency as a subtraction', () => {
  const of = performance({ USD, EUR: { revenue_cents: 0, refunded_cents: 450, commission_cents: -90 } });
  const leftOut = netFigures(of, 'USD').map((metric) => [metric.title, metric.leftOut?.(of.totals)]);
  expect(leftOut).toEqual([
    ['Earned', '- €0.90'],
    ['Clicks', undefined],
    ['Signups', undefined],
    ['Sales', undefined],
    ['Revenue', '- €4.50'],
  ]);
});

it.each([
  [{ refunded_cents: 1_200, rejected_cents: 0 }, '$12.00 refunded'],
  [{ refunded_cents: 0, rejected_cents: 580 }, '$5.80 not accepted'],
  [{ refunded_cents: 0, rejected_cents: 0 }, undefined],
])('the note about refunded and rejected amounts is, for %j, %j', (some, line) => {
  expect(takenText(performance({ USD: { ...USD, ...some } }), 'USD')).toBe(line);
});

it('the note about refunded and rejected amounts contains no amount in another currency', () => {
  expect(takenText(performance({ USD }), 'EUR')).toBeUndefined();
});
