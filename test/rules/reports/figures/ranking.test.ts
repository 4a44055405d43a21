import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rankedPage, totalOf } from '#lib/service/reports/figures/ranking.ts';

/** A row by its name, which is also its position in time. */
const row = (place: string, figure = 0, figureBefore?: number) => ({ place, figure, figureBefore });

const names = (rows: readonly { readonly place: string }[]) => rows.map(({ place }) => place).join('');

it.each([
  ['clicks', 'clicks'],
  ['leads', 'leads'],
  ['sales', 'sales'],
  ['revenue', 'revenueUSD'],
  ['commission', 'commissionUSD'],
] as const)('a list with sort=%s is ranked by the counter value %s', (sort, total) => {
  expect(totalOf(sort, 'USD')).toBe(total);
});

it('the row with the highest number comes first in a ranking', () => {
  expect(names(rankedPage([row('a', 2), row('b', -1), row('c', 10)], { most: 9 }).items)).toBe('cab');
});

it('rows with an equal number are ordered by time, oldest first', () => {
  expect(names(rankedPage([row('b'), row('d'), row('a'), row('c')], { most: 9 }).items)).toBe('abcd');
});

describe('a page of ranked rows', () => {
  const rows = [row('a'), row('b', 3), row('c', 3), row('d', 1)];

  it('starts after the last row of the previous page, also if both have the same number', () => {
    const first = rankedPage(rows, { most: 1 });
    expect([names(first.items), first.next]).toEqual(['b', '3 b']);
    const second = rankedPage(rows, { most: 2, after: first.next });
    expect([names(second.items), second.next]).toEqual(['cd', '1 d']);
    const last = rankedPage(rows, { most: 2, after: second.next });
    expect([names(last.items), last.next]).toEqual(['a', undefined]);
  });

  it('is the last page if it contains all remaining rows', () => {
    expect(rankedPage(rows, { most: 4 }).next).toBeUndefined();
    expect(rankedPage([], { most: 1 })).toEqual({ items: [], next: undefined });
  });

  it('starts at the place where the last row of the previous page was, even if that row was deleted', () => {
    const left = rows.filter(({ place }) => place !== 'b');
    expect(names(rankedPage(left, { most: 9, after: '3 b' }).items)).toBe('cda');
  });

  it.each(['x', '', ' ', 'NaN a', '#'])(
    'is read without an error and has only existing rows if the position in the request is invalid: %j',
    (after) => {
      const all = new Set(rows.map(({ place }) => place));
      expect(rankedPage(rows, { most: 9, after }).items.every(({ place }) => all.has(place))).toBe(true);
    },
  );
});

it('if the numbers of other rows change while pages are read, a row with a constant number is on exactly one page', () => {
  const count = fc.integer({ min: -3, max: 3 });
  const some = fc.array(fc.record({ figure: count, later: fc.option(count) }), { maxLength: 30 });
  fc.assert(
    fc.property(some, fc.integer({ min: 1, max: 7 }), fc.nat(5), (drawn, most, changedAfter) => {
      const placed = drawn.map((each, n) => ({ ...each, place: String(n).padStart(3, '0') }));
      const before = placed.map(({ place, figure }) => row(place, figure));
      const after = placed.map(({ place, figure, later }) => row(place, later ?? figure));
      const seen: string[] = [];
      let next: string | undefined;
      for (let page = 0; page === 0 || next !== undefined; page++) {
        const rows = page <= changedAfter ? before : after;
        const found = rankedPage(rows, { most, after: next });
        seen.push(...found.items.map(({ place }) => place));
        ({ next } = found);
      }
      const unchanged = placed.filter(({ later }) => later === null).map(({ place }) => place);
      expect(seen.filter((place) => unchanged.includes(place)).toSorted()).toEqual(unchanged);
    }),
  );
});

describe('the rank of a row in a period and in the period before', () => {
  const ranks = (rows: readonly ReturnType<typeof row>[], most = 9) =>
    rankedPage(rows, { most }).items.map(
      ({ place, rank, rankBefore }) => `${place} ${rank ?? '-'} ${rankBefore ?? '-'}`,
    );
  const rows = [row('a', 0, 2), row('b', 3, 2), row('c', 3, 0), row('d', 5)];

  it('is its position in the whole list, with the oldest first among equal numbers, and absent if the number is 0', () => {
    expect(ranks(rows)).toEqual(['d 1 -', 'b 2 2', 'c 3 -', 'a - 1']);
    expect(ranks(rows, 1)).toEqual(['d 1 -']);
  });

  it('does not count rows with the number 0, which come before rows with negative numbers', () => {
    expect(ranks([row('a', 0, -1), row('b', -1, 0)])).toEqual(['a - 1', 'b 1 -']);
  });
});
