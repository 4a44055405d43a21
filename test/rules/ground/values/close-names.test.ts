import { describe, expect, it } from 'vitest';
import { fieldNames, intendedName, misspeltField } from '#lib/service/ground/values/close-names.ts';
import {
  clickFields,
  leadFields,
  leadNames,
  refundFields,
  refundNames,
  saleFields,
  saleNames,
} from '#lib/wire/words/field-names-request.ts';

const names = fieldNames(['currency', 'reason', 'click_id'], { coupon: 'reason' }, ['session_id', 'clickid']);
const meant = (name: string, others: object = {}) => intendedName(name, { [name]: 1, ...others }, names);

describe('the known field name that is suggested for a misspelt one', () => {
  it.each([
    ['Currency', 'currency', 'in another case'],
    ['CURRENCY', 'currency', 'in another case'],
    ['clickId', 'click_id', 'without its separator'],
    ['click-id', 'click_id', 'with another separator'],
    ['__click__id', 'click_id', 'with more separators'],
    ['reson', 'reason', 'with a letter left out'],
    ['reasson', 'reason', 'with a letter added'],
    ['raeson', 'reason', 'with two adjacent letters swapped'],
    ['season', 'reason', 'with a letter changed'],
    ['curency', 'currency', 'with a letter left out'],
    ['curensy', 'currency', 'with two mistakes in eight letters'],
    ['curren', 'currency', 'with two letters left out of eight'],
    ['ucrrenyc', 'currency', 'with two swaps in eight letters'],
    ['Coupon', 'reason', 'as a known alias'],
    ['cupon', 'reason', 'with a letter left out of an alias'],
  ])('for "%s" is "%s": the name was sent %s', (sent, known) => {
    expect(meant(sent)).toBe(known);
  });

  it.each([
    ['reaso__nn', 'a short name with two extra letters'],
    ['rsn', 'a name that lacks too many letters'],
    ['currencyOfSale', 'a longer name that contains a known one'],
    ['affiliateNote', 'a name similar to no known one'],
    ['', 'an empty name'],
    ['session_id', 'a field of another call'],
    ['clickid', 'a field of another call, although it is close'],
  ])('is absent for "%s", %s', (sent) => {
    expect(meant(sent)).toBeUndefined();
  });

  it('is absent if the name is correct, if the suggested field was sent as well, or if the value is null', () => {
    expect(meant('currency')).toBeUndefined();
    expect(meant('curency', { currency: 'USD' })).toBeUndefined();
    expect(meant('curency', { currency: null })).toBe('currency');
    expect(intendedName('curency', { curency: null }, names)).toBeUndefined();
  });

  it('is the most similar of several names, in any order', () => {
    const alike = fieldNames(['refund_total', 'refund_totals']);
    expect(intendedName('refundTotals', { refundTotals: 1 }, alike)).toBe('refund_totals');
    expect(intendedName('refund_totalx', { refund_totalx: 1 }, alike)).toBe('refund_total');
    expect(intendedName('refund_totalx', { refund_totalx: 1, refund_total: 1 }, alike)).toBe('refund_totals');
  });

  it('is for the first misspelt name in the order of the request', () => {
    expect(misspeltField({ note: 1, raeson: 1, curency: 1 }, names)).toEqual({ name: 'raeson', meant: 'reason' });
    expect(misspeltField({ note: 1, currency: 1 }, names)).toBeUndefined();
  });
});

describe('an unknown field name in a tracking call', () => {
  const calls = { lead: leadNames, sale: saleNames, refund: refundNames };
  const all = { click: clickFields, lead: leadFields, sale: saleFields, refund: refundFields };

  it.each(Object.entries(calls))(
    'is not taken for a misspelt field of a %s if it is a field of another call, except for `amount_cents` in a refund',
    (call, { fields }) => {
      const close = Object.values(all)
        .flat()
        .filter((name) => intendedName(name, { [name]: 1 }, fields) !== undefined);
      expect([...new Set(close)]).toEqual(call === 'refund' ? ['amount_cents'] : []);
    },
  );

  const others = {
    sale: {
      amount: 'amount_cents',
      tax: 'tax_cents',
      coupon: 'coupon_code',
      customer_id: 'customer_key',
      invoice_id: 'transaction_id',
      recurring: 'is_recurring',
    },
    lead: { customer_id: 'customer_key' },
    refund: {
      amount: 'refund_amount_cents',
      amount_cents: 'refund_amount_cents',
      refund_amount: 'refund_amount_cents',
      amount_refunded: 'refund_amount_cents',
      invoice_id: 'transaction_id',
    },
  };
  it.each(Object.entries(others))(
    'is taken for a misspelt field of a %s if it is one of a few common wrong names',
    (call, expected) => {
      const { fields } = calls[call as keyof typeof calls];
      const found = Object.keys(expected).map((name) => [name, intendedName(name, { [name]: 1 }, fields)]);
      expect(Object.fromEntries(found)).toEqual(expected);
    },
  );

  it.each([
    'affiliateNote',
    'note',
    'plan',
    'product',
    'subscription',
    'name',
    'user',
    'metadata',
    'source',
    'country',
  ])('is not taken for a misspelt field of a sale if it is a name that brands add, such as %s', (name) =>
    expect(intendedName(name, { [name]: 1 }, saleNames.fields)).toBeUndefined(),
  );
});
