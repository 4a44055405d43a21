import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimalsOf } from '#lib/service/ground/values/currency.ts';
import {
  halfUp,
  MOST_CENTS,
  moneyText,
  proportionOf,
  scaled,
  sumOf,
  toCents,
} from '#lib/service/ground/values/money.ts';

const cents = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });

describe('halfUp, which divides and rounds,', () => {
  it.each([
    [0n, 7n, 0n],
    [1n, 2n, 1n],
    [49n, 100n, 0n],
    [50n, 100n, 1n],
    [149n, 100n, 1n],
    [150n, 100n, 2n],
    [1n, 3n, 0n],
    [2n, 3n, 1n],
  ])('gives %i ÷ %i = %i', (n, d, rounded) => {
    expect(halfUp(n, d)).toBe(rounded);
  });

  it('returns the nearest integer, the upper one of two equally near', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 40n }), fc.bigInt({ min: 1n, max: 10n ** 20n }), (n, d) => {
        const errorDoubled = 2n * (halfUp(n, d) * d - n);
        expect(errorDoubled > -d && errorDoubled <= d).toBe(true);
      }),
    );
  });
});

describe('scaled, which reads a rate,', () => {
  it.each([
    [20, 200_000n],
    [0.1 + 0.2, 3_000n],
    [1.00005, 10_001n],
    [1.00004, 10_000n],
    [2.34565, 23_457n],
    [0.00005, 1n],
    [0.00004, 0n],
    [5e-7, 0n],
    [5e-324, 0n],
    [1e21, 10n ** 25n],
    [1.5e300, 15n * 10n ** 303n],
    [0, 0n],
    [-1.5, -15_000n],
  ])('reads %d to four decimals as %i', (value, units) => {
    expect(scaled(value, 4)).toBe(units);
  });

  it('reads every decimal exactly, unlike binary floating point', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e9 }), fc.integer({ min: 0, max: 9_999 }), (whole, fraction) => {
        const value = Number(`${whole}.${String(fraction).padStart(4, '0')}`);
        expect(scaled(value, 4)).toBe(BigInt(whole) * 10_000n + BigInt(fraction));
      }),
    );
  });

  it('rounds 5 in the fifth decimal up', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e6 }), fc.integer({ min: 0, max: 99_999 }), (whole, fraction) => {
        const value = Number(`${whole}.${String(fraction).padStart(5, '0')}`);
        expect(scaled(value, 4)).toBe(halfUp(BigInt(whole) * 100_000n + BigInt(fraction), 10n));
      }),
    );
  });
});

describe('proportionOf, which takes a share of an amount,', () => {
  it('is exact for amounts whose product exceeds double precision', () => {
    expect(proportionOf(Number.MAX_SAFE_INTEGER, 9_999, 10_000)).toBe(9_006_298_534_815_517);
  });

  it('never exceeds the amount, and equals it for the whole', () => {
    fc.assert(
      fc.property(cents, cents, fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), (amount, part, whole) => {
        const share = proportionOf(amount, Math.min(part, whole), whole);
        expect(share).toBeGreaterThanOrEqual(0);
        expect(share).toBeLessThanOrEqual(amount);
        expect(proportionOf(amount, whole, whole)).toBe(amount);
      }),
    );
  });
});

it('sumOf caps sums of money at the largest integer that JSON numbers represent exactly', () => {
  const largest = Number.MAX_SAFE_INTEGER;
  expect(sumOf([])).toBe(0);
  expect(sumOf([980, -980, 1])).toBe(1);
  expect(sumOf([largest, largest])).toBe(largest);
  expect(sumOf([-largest, -largest])).toBe(-largest);
  expect(sumOf(Array.from({ length: 9_007 }, () => MOST_CENTS))).toBe(9_007 * MOST_CENTS);
});

it('a computed amount of money is capped at the largest amount that a sale may have', () => {
  expect(toCents(10n ** 30n)).toBe(MOST_CENTS);
  expect(toCents(BigInt(MOST_CENTS) + 1n)).toBe(MOST_CENTS);
  expect(toCents(BigInt(MOST_CENTS))).toBe(1_000_000_000_000);
  expect(toCents(980n)).toBe(980);
});

it.each([
  [4900, 'USD', '49.00 USD'],
  [0, 'USD', '0.00 USD'],
  [-5, 'EUR', '-0.05 EUR'],
  [70_000, 'VND', '70000 VND'],
  [-70, 'JPY', '-70 JPY'],
  [4900, 'KWD', '4.900 KWD'],
  [-5, 'KWD', '-0.005 KWD'],
  [490_000, 'HUF', '4900.00 HUF'],
])('the amount %i of %s is written as %s', (amount, currency, text) => {
  expect(moneyText(amount, currency)).toBe(text);
});

it('every amount is written with all digits and the decimals of its currency', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), fc.constantFrom('JPY', 'USD', 'KWD'), (amount, currency) => {
      const [number = '', code] = moneyText(amount, currency).split(' ');
      const [, fraction = ''] = number.split('.');
      expect([Number(number.replace('.', '')), fraction.length, code]).toEqual([
        amount,
        decimalsOf(currency),
        currency,
      ]);
    }),
  );
});
