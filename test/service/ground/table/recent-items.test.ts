import { expect, it } from 'vitest';
import { RecentItems } from '#lib/service/ground/table/recently-read.ts';

it('a cached item is used by requests whose clock is less than a second before or after the item’s, because clocks differ', () => {
  const recent = new RecentItems<string>(1_000);
  recent.keep('a', 'item', 5_000);
  const ages = [-60_000, -1_000, -999, 0, 999, 1_000].map((age) => recent.find('a', 5_000 + age));
  expect(ages).toEqual([undefined, undefined, 'item', 'item', 'item', undefined]);
  expect(recent.find('b', 5_000)).toBeUndefined();
  recent.keep('a', 'changed', 6_500);
  expect(recent.find('a', 7_499)).toBe('changed');
});

it('no item is cached with a duration of zero', () => {
  const recent = new RecentItems<string>(0);
  recent.keep('a', 'item', 5_000);
  expect(recent.find('a', 5_000)).toBeUndefined();
});

it('at most a thousand items are cached; the one that was stored longest ago is dropped', () => {
  const recent = new RecentItems<number>(1_000);
  for (let n = 0; n < 1_000; n++) recent.keep(`item ${n}`, n, 0);
  recent.keep('item 0', 0, 1);
  recent.keep('item 1000', 1_000, 1);
  expect(['item 0', 'item 1', 'item 2', 'item 1000'].map((name) => recent.find(name, 1))).toEqual([
    0,
    undefined,
    2,
    1_000,
  ]);
});
