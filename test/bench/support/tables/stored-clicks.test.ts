import { expect, it } from 'vitest';
import { storageUsd, storedBytes, storedClicks } from '#test/bench/support/tables/stored-clicks.ts';

const model = { clicksAMonth: 100, signups: 0.25, unusedMonths: 5, bytes: 2 ** 30 };

it('storedClicks counts clicks without a sign-up until they expire, and all others permanently', () => {
  expect([1, 5, 6, 12].map((months) => storedClicks(months, model))).toEqual([100, 500, 525, 675]);
  expect(storedClicks(12, { ...model, unusedMonths: Infinity })).toBe(1_200);
});

it('storageUsd includes, for a gigabyte, the storage and its backups', () => {
  expect(storageUsd(1, model)).toBeCloseTo(45);
});

it('storedBytes counts an item’s names and values, and its keys again in each index', () => {
  const keys = { pk: 'p', sk: 's', gsi1pk: 'g', gsi1sk: 'h' };
  const inIndex = 3 + 4 * (1 + 1) + 2 + 2 + 6 + 6;
  expect(storedBytes(keys)).toBe(200 + 2 * inIndex);
  expect(storedBytes({ ...keys, n: 1234, gone: undefined })).toBe(200 + 2 * inIndex + 1 + 3 + 1);
});
