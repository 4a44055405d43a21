import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EventCounts } from '#lib/service/ground/counters/counter-readings.ts';
import { rankedPage, sortings } from '#lib/service/reports/figures/ranking.ts';

const figures = sortings.filter((sorting) => sorting !== 'created');
const cents = {
  revenueCents: 0,
  refundedCents: 0,
  commissionCents: 0,
  rejectedCents: 0,
  platformFeeCents: 0,
  paidOutCents: 0,
};

/** A row by its name, which is also its position in time. */
const row = (place: string, counts: Partial<EventCounts> = {}) => ({
  place,
  counts: { clicks: 0, botClicks: 0, repeatClicks: 0, leads: 0, sales: 0, amounts: {}, ...counts },
});

const withCommission = (place: string, commissionCents: number) =>
  row(place, { amounts: { USD: { ...cents, commissionCents } } });

type Row = ReturnType<typeof row>;

const names = (rows: readonly Row[]) => rows.map(({ place }) => place).join('');
const sorted = (rows: readonly Row[], by: (typeof figures)[number]) =>
  names(rankedPage(rows, { sort: by, currency: 'USD' }, { most: 100 }).items);

describe('the row with the highest number comes first in a ranking', () => {
  it.each([
    ['clicks', 'cab'],
    ['leads', 'bca'],
    ['sales', 'acb'],
  ] as const)('by %s', (by, expected) => {
    const rows = [
      row('a', { clicks: 2, leads: 0, sales: 10 }),
      row('b', { clicks: 1, leads: 9, sales: 1 }),
      row('c', { clicks: 10, leads: 1, sales: 9 }),
    ];
    expect(sorted(rows, by)).toBe(expected);
  });

  it.each([
    ['revenue', 'cab'],
    ['commission', 'abc'],
  ] as const)('by %s in the program’s currency, regardless of other currencies', (by, expected) => {
    const rows = [
      row('a', { amounts: { USD: { ...cents, revenueCents: 4900, commissionCents: 10 } } }),
      row('b', { amounts: { EUR: { ...cents, revenueCents: 990_000, commissionCents: 99_000 } } }),
      row('c', { amounts: { USD: { ...cents, revenueCents: 5000, commissionCents: -1 }, VND: cents } }),
    ];
    expect(sorted(rows, by)).toBe(expected);
  });
});

it.each(figures)('rows with an equal number of %s are in order of time', (by) => {
  expect(sorted([row('b'), row('d'), row('a'), row('c')], by)).toBe('abcd');
});

describe('a page of ranked rows', () => {
  const rows = [row('a'), row('b', { clicks: 3 }), row('c', { clicks: 3 }), row('d', { clicks: 1 })];

  it('starts after the last row of the previous page, also among equal figures', () => {
    const first = rankedPage(rows, { sort: 'clicks', currency: 'USD' }, { most: 1 });
    expect([names(first.items), first.next]).toEqual(['b', '3 b']);
    const second = rankedPage(rows, { sort: 'clicks', currency: 'USD' }, { most: 2, after: first.next });
    expect([names(second.items), second.next]).toEqual(['cd', '1 d']);
    const last = rankedPage(rows, { sort: 'clicks', currency: 'USD' }, { most: 2, after: second.next });
    expect([names(last.items), last.next]).toEqual(['a', undefined]);
  });

  it('is the last page if it contains all remaining rows', () => {
    expect(rankedPage(rows, { sort: 'clicks', currency: 'USD' }, { most: 4 }).next).toBeUndefined();
    expect(rankedPage([], { sort: 'clicks', currency: 'USD' }, { most: 1 })).toEqual({ items: [], next: undefined });
  });

  it('continues at the position of a deleted last row', () => {
    const left = rows.filter(({ place }) => place !== 'b');
    expect(names(rankedPage(left, { sort: 'clicks', currency: 'USD' }, { most: 9, after: '3 b' }).items)).toBe('cda');
  });

  it.each(['x', '', ' ', 'NaN a', '#'])('continues after an invalid position (%j) without an error', (after) => {
    expect(
      rankedPage(rows, { sort: 'clicks', currency: 'USD' }, { most: 9, after }).items.every((each) =>
        rows.includes(each),
      ),
    ).toBe(true);
  });
});

it('a row whose number does not change is on exactly one page while other numbers change', () => {
  const count = fc.integer({ min: -3, max: 3 });
  const some = fc.array(fc.record({ commission: count, later: fc.option(count) }), { maxLength: 30 });
  fc.assert(
    fc.property(some, fc.integer({ min: 1, max: 7 }), fc.nat(5), (drawn, most, changedAfter) => {
      const placed = drawn.map((each, n) => ({ ...each, place: String(n).padStart(3, '0') }));
      const before = placed.map(({ place, commission }) => withCommission(place, commission));
      const after = placed.map(({ place, commission, later }) => withCommission(place, later ?? commission));
      const seen: string[] = [];
      let next: string | undefined;
      for (let page = 0; page === 0 || next !== undefined; page++) {
        const rows = page <= changedAfter ? before : after;
        const found = rankedPage(rows, { sort: 'commission', currency: 'USD' }, { most, after: next });
        seen.push(...found.items.map(({ place }) => place));
        ({ next } = found);
      }
      const unchanged = placed.filter(({ later }) => later === null).map(({ place }) => place);
      expect(seen.filter((place) => unchanged.includes(place)).toSorted()).toEqual(unchanged);
    }),
  );
});

const compared = (place: string, now: number, before: number) => ({
  ...row(place, { sales: now }),
  before: row(place, { sales: before }).counts,
});

const ranks = (rows: readonly ReturnType<typeof compared>[], most = 9) =>
  rankedPage(rows, { sort: 'sales', currency: 'USD' }, { most }).items.map(
    ({ place, comparison }) => `${place} ${comparison?.rank ?? '-'} ${comparison?.previous.rank ?? '-'}`,
  );

describe('a ranking that is compared with the period before', () => {
  it('has the rank of each row in both periods, equal figures oldest first, and none for a figure of 0', () => {
    const rows = [compared('a', 0, 2), compared('b', 3, 2), compared('c', 3, 0), compared('d', 5, 0)];
    expect(ranks(rows)).toEqual(['d 1 -', 'b 2 2', 'c 3 -', 'a - 1']);
    expect(ranks(rows, 1)).toEqual(['d 1 -']);
  });

  it('does not count figures of 0 before negative ones', () => {
    const rows = [compared('a', 0, -1), compared('b', -1, 0)];
    const items = rankedPage(
      rows.map((each) => ({
        ...withCommission(each.place, each.counts.sales),
        before: withCommission(each.place, each.before.sales).counts,
      })),
      { sort: 'commission', currency: 'USD' },
      { most: 9 },
    ).items.map(({ place, comparison }) => [place, comparison?.rank, comparison?.previous.rank]);
    expect(items).toEqual([
      ['a', undefined, 1],
      ['b', 1, undefined],
    ]);
  });

  it('has the figures of the period before', () => {
    const one = compared('a', 3, 2);
    const { items } = rankedPage([one], { sort: 'sales', currency: 'USD' }, { most: 9 });
    expect(items[0]!.comparison).toEqual({ rank: 1, previous: { rank: 1, counts: one.before } });
  });
});
