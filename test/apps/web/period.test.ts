import { expect, it } from 'vitest';
import { periodOf } from '#lib/apps/web/period.ts';

const chosen = (period: string, from = '', to = '') => ({ period, from, to });

it.each([
  ['7d', '2026-03-02', { from: '2026-02-24', to: '2026-03-02' }],
  ['365d', '2028-03-01', { from: '2027-03-03', to: '2028-03-01' }],
  ['this-month', '2026-03-01', { from: '2026-03-01', to: '2026-03-01' }],
  ['this-month', '2026-03-31', { from: '2026-03-01', to: '2026-03-31' }],
  ['last-month', '2028-03-31', { from: '2028-02-01', to: '2028-02-29' }],
  ['last-month', '2026-01-01', { from: '2025-12-01', to: '2025-12-31' }],
  ['all', '2026-03-01', {}],
  // A URL can contain any value.
  ['0x', '2026-03-01', {}],
])('the period “%s”, chosen on %s, has the days %j', (period, today, days) => {
  expect(periodOf(chosen(period), today)).toEqual(days);
});

it('the period between two entered days has no end if the second day is missing', () => {
  expect(periodOf(chosen('custom', '2026-01-05', '2026-02-01'), '2026-03-01')).toEqual({
    from: '2026-01-05',
    to: '2026-02-01',
  });
  expect(periodOf(chosen('custom', '2026-01-05'), '2026-03-01')).toEqual({ from: '2026-01-05', to: undefined });
});
