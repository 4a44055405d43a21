import { describe, expect, it } from 'vitest';
import { currencyOfSale } from '#lib/service/conversions/sales/currency-of-sale.ts';

describe('the currency of a sale', () => {
  const taken = ['USD', 'EUR'] as const;

  it('is the one in the request, or else the program’s', () => {
    expect(currencyOfSale('EUR', { currency: 'USD' }, taken)).toBe('EUR');
    expect(currencyOfSale(undefined, { currency: 'EUR' }, taken)).toBe('EUR');
  });

  it('is refused if the installation does not support it, even if it is the program’s own', () => {
    const refused = 'currency GBP is not supported';
    expect(() => currencyOfSale('GBP', { currency: 'EUR' }, taken)).toThrow(refused);
    expect(() => currencyOfSale(undefined, { currency: 'GBP' }, taken)).toThrow(refused);
    expect(() => currencyOfSale('x'.repeat(30), { currency: 'USD' }, taken)).toThrow(
      `currency ${'x'.repeat(20)} is not supported`,
    );
  });
});
