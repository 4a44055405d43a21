import { describe, expect, it } from 'vitest';
import { corrected, eventDays, partsOfCounter, wrongFields } from '#lib/service/ground/counters/counter-parts.ts';

const NOW = new Date('2026-11-20T15:07:30.000Z');

const program = { of: 'program', programId: 1 } as const;

describe('the parts of a counter', () => {
  it('are its days with their minutes, counts without a day, incorrect totals and the last click', () => {
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
    const parts = partsOfCounter(program, { counts, lastClickedAt: '2026-11-20T15:07:00.000Z' }, NOW);
    expect(Object.fromEntries(parts)).toEqual({
      // A minute that is a day old appears in no report.
      '2026-11-19': { 'clicks@2026-11-19': 1, 'clicks@2026-11-19T15:08': 1 },
      '2026-11-20': {
        'clicks@2026-11-20': 3,
        'clicks@2026-11-20T15:07': 3,
        'leads@2026-11-20': 2,
        'revenueUSD@2026-11-20': 4900,
      },
      totals: { clicks: 1, revenueUSD: -4900 },
      undated: { paidOutUSD: 980 },
      'last click': { lastClickedAt: '2026-11-20T15:07:00.000Z' },
    });
  });

  it('have no days for a customer', () => {
    const counts = { revenueUSD: 9800, commissionUSD: 980, refundedUSD: 0 };
    const parts = partsOfCounter({ of: 'customer', clickId: 'clk_1' }, { counts }, NOW);
    expect(Object.fromEntries(parts)).toEqual({ undated: { revenueUSD: 9800, commissionUSD: 980 } });
  });

  it('are empty for an empty counter', () => {
    expect(partsOfCounter(program, { counts: {} }, NOW)).toEqual(new Map());
  });
});

describe('a correction of a counter', () => {
  it('contains only incorrect values', () => {
    expect(wrongFields({ a: 1, b: 2, c: 3 }, { a: 1, b: 4, d: 5 })).toEqual(['b', 'c', 'd']);
  });

  it('changes the total together with a day’s value, and nothing else with a minute’s or a total’s value', () => {
    const counts = { clicks: 10, 'clicks@2026-11-20': 4, sales: 3 };
    const corrections = [
      { field: 'clicks@2026-11-20', from: 6, to: 5 },
      { field: 'clicks@2026-11-19', from: undefined, to: 2 },
      { field: 'clicks@2026-11-20T15:07', from: undefined, to: 5 },
      { field: 'sales', from: 3, to: undefined },
    ];
    expect(corrected(counts, corrections)).toEqual({
      clicks: 11,
      'clicks@2026-11-20': 3,
      'clicks@2026-11-19': 2,
      'clicks@2026-11-20T15:07': 5,
      sales: 0,
    });
  });

  it('sets the last click, or removes it if there was none', () => {
    const [before, after] = ['2099-01-01T00:00:00.000Z', '2026-11-20T15:07:00.000Z'];
    expect(corrected({}, [{ field: 'lastClickedAt', from: before, to: after }])).toEqual({ lastClickedAt: after });
    expect(corrected({}, [{ field: 'lastClickedAt', from: before, to: undefined }])).toStrictEqual({
      lastClickedAt: undefined,
    });
  });
});

it('the days with events are those with counts, not those on which only a hold ends', () => {
  const counts = { clicks: 2, 'clicks@2026-11-20': 2, 'sales@2026-11-20T15:07': 1, 'pending@2026-12-05': 1 };
  expect(eventDays(counts)).toBe(1);
});
