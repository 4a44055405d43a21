import { expect, it } from 'vitest';
import { changedSince, partOf } from '#lib/service/ground/changes/seen.ts';

it.each<[string, unknown, unknown]>([
  ['the same number', 20, 20],
  ['still no value', null, null],
  ['the same string', 'No ads.', 'No ads.'],
  ['an absent text, sent as an empty one', '', null],
  ['an absent text, read as an empty one', null, ''],
  ['an object with another key order', { a: 1, b: [{ c: 1, d: 2 }] }, { b: [{ d: 2, c: 1 }], a: 1 }],
  ['a list in the same order', ['a', 'b'], ['a', 'b']],
])('a stored value is the same as the one that the user saw: %s', (_, seen, present) => {
  expect(changedSince({ field: seen }, { field: present, other: 7 })).toEqual({});
});

it.each<[string, unknown, unknown]>([
  ['another number', 20, 22],
  ['zero instead of no value', null, 0],
  ['false instead of no value', null, false],
  ['a number instead of a string', '20', 20],
  ['a list in another order', ['a', 'b'], ['b', 'a']],
  ['an object with an additional key', { a: 1 }, { a: 1, b: 2 }],
  ['a missing value', 'here', undefined],
])('a stored value differs from the one that the user saw: %s', (_, seen, present) => {
  expect(changedSince({ field: seen, same: 1 }, { field: present, same: 1 })).toEqual({ field: present });
});

it('a setting with several parts, such as the rules, is compared only in the parts that the request contains', () => {
  const present = { rules: { velocity: 'hold', paid_ad: 'off' } };
  expect(changedSince({ rules: { paid_ad: 'off' } }, present, ['rules'])).toEqual({});
  expect(changedSince({ rules: { velocity: 'off', paid_ad: 'off' } }, present, ['rules'])).toEqual(present);
  expect(changedSince({ rules: 'off' }, present, ['rules'])).toEqual(present);
  expect(partOf('off', { paid_ad: 'off' })).toBe('off');
});
