import { expect, it } from 'vitest';
import { changedSince, partOf } from '#lib/service/ground/changes/seen.ts';

it.each<[string, unknown, unknown]>([
  ['a number', 20, 20],
  ['nothing', null, null],
  ['a text', 'No ads.', 'No ads.'],
  ['no text, told as an empty one', '', null],
  ['no text, read as an empty one', null, ''],
  ['an object in another order', { a: 1, b: [{ c: 1, d: 2 }] }, { b: [{ d: 2, c: 1 }], a: 1 }],
  ['a list in its order', ['a', 'b'], ['a', 'b']],
])('%s has not changed', (_, seen, present) => {
  expect(changedSince({ field: seen }, { field: present, other: 7 })).toEqual({});
});

it.each<[string, unknown, unknown]>([
  ['a number', 20, 22],
  ['zero, which is not nothing', null, 0],
  ['false, which is not nothing', null, false],
  ['a number that was read as a text', '20', 20],
  ['a list in another order', ['a', 'b'], ['b', 'a']],
  ['an object with more', { a: 1 }, { a: 1, b: 2 }],
  ['what is not there', 'here', undefined],
])('%s has changed', (_, seen, present) => {
  expect(changedSince({ field: seen, same: 1 }, { field: present, same: 1 })).toEqual({ field: present });
});

it('of fields that are changed in parts, those parts count that were seen', () => {
  const present = { rules: { velocity: 'hold', paid_ad: 'off' } };
  expect(changedSince({ rules: { paid_ad: 'off' } }, present, ['rules'])).toEqual({});
  expect(changedSince({ rules: { velocity: 'off', paid_ad: 'off' } }, present, ['rules'])).toEqual(present);
  expect(changedSince({ rules: 'off' }, present, ['rules'])).toEqual(present);
  expect(partOf('off', { paid_ad: 'off' })).toBe('off');
});
