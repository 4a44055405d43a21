import { describe, expect, it } from 'vitest';
import { comparedCounts, corrected, eventDays, isExcess } from '#lib/service/ground/counters/counter-parts.ts';

const NOW = new Date('2026-11-20T15:07:30.000Z');

const program = { of: 'program', programId: 1 } as const;

describe('the counts that a rebuild of a counter compares (comparedCounts)', () => {
  it('are the counts per day and minute, each total without day counts, and how far other totals exceed their days’ sum', () => {
    const counts = {
      clicks: 5,
      'clicks@2026-11-19': 1,
      'clicks@2026-11-20': 3,
      'clicks@2026-11-19T15:07': 1,
      'clicks@2026-11-19T15:08': 1,
      'clicks@2026-11-20T15:07': 3,
      sales: 0,
      'sales@2026-11-20': 0,
      leads: 2,
      'leads@2026-11-20': 2,
      'revenueUSD@2026-11-20': 4900,
      paidOutUSD: 980,
    };
    expect(comparedCounts(program, counts, NOW)).toEqual({
      'clicks@2026-11-19': 1,
      // A minute that is a day old appears in no report.
      'clicks@2026-11-19T15:08': 1,
      'clicks@2026-11-20': 3,
      'clicks@2026-11-20T15:07': 3,
      'leads@2026-11-20': 2,
      'revenueUSD@2026-11-20': 4900,
      clicks: 1,
      revenueUSD: -4900,
      paidOutUSD: 980,
    });
  });

  it('are, for a customer’s counter, which has no days, the totals', () => {
    const counts = { revenueUSD: 9800, commissionUSD: 980, refundedUSD: 0 };
    expect(comparedCounts({ of: 'customer', clickId: 'clk_1' }, counts, NOW)).toEqual({
      revenueUSD: 9800,
      commissionUSD: 980,
    });
  });

  it('are none for an empty counter', () => {
    expect(comparedCounts(program, {}, NOW)).toEqual({});
  });

  it.each([
    [program, 'clicks', true],
    [program, 'clicks@2026-11-20', false],
    [program, 'paidOutUSD', false],
    [{ of: 'customer', clickId: 'clk_1' } as const, 'revenueUSD', false],
  ])(
    'contain, for %o and the count %s (by isExcess), only how far the total exceeds the sum of its days: %s',
    (counter, field, isOne) => {
      expect(isExcess(counter, field)).toBe(isOne);
    },
  );
});

it('in a rebuild, correcting the count of a day also changes the total; correcting a minute or a total changes nothing else', () => {
  const counts = { clicks: 10, 'clicks@2026-11-20': 4, sales: 3 };
  const corrections = [
    { field: 'clicks@2026-11-20', from: 6, to: 5 },
    { field: 'clicks@2026-11-19', from: 0, to: 2 },
    { field: 'clicks@2026-11-20T15:07', from: 0, to: 5 },
    { field: 'sales', from: 3, to: 0 },
  ];
  expect(corrected(counts, corrections)).toEqual({
    clicks: 11,
    'clicks@2026-11-20': 3,
    'clicks@2026-11-19': 2,
    'clicks@2026-11-20T15:07': 5,
    sales: 0,
  });
});

it('eventDays is the number of days with an event, and ignores days on which only a commission’s hold ends', () => {
  const counts = {
    clicks: 2,
    'clicks@2026-11-20': 2,
    'sales@2026-11-20T15:07': 1,
    'pending@2026-12-05': 1,
    'leads@2026-11-21': 0,
  };
  expect(eventDays(counts)).toBe(1);
});
