import { describe, expect, it } from 'vitest';
import { currencyCode, decimalsOf, isCurrency } from '#lib/service/ground/values/currency.ts';

describe('the decimals of currencies', () => {
  it.each([
    ['USD', 2],
    ['EUR', 2],
    // `Intl` gives no decimals for these two currencies.
    ['HUF', 2],
    ['IDR', 2],
    ['JPY', 0],
    ['KRW', 0],
    ['VND', 0],
    ['ISK', 0],
    ['UGX', 0],
    ['MGA', 2],
    ['KWD', 3],
    ['BHD', 3],
    ['OMR', 3],
    ['TND', 3],
    ['JOD', 3],
  ])('of %s are %d', (code, decimals) => {
    expect([isCurrency(code), decimalsOf(code)]).toEqual([true, decimals]);
  });

  it.each(['CLF', 'UYW', 'XXX', 'XAU', 'XYZ', 'usd', 'US', '', 'toString'])(
    'are 2 for %j, which is not a currency for sales',
    (code) => {
      expect([isCurrency(code), decimalsOf(code)]).toEqual([false, 2]);
    },
  );
});

it('a currency code is trimmed and case-insensitive', () => {
  expect(currencyCode(' kwd\n')).toBe('KWD');
});
