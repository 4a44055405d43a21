import { describe, expect, it } from 'vitest';
import { readEvent } from '#lib/service/conversions/stripe/read-event.ts';
import {
  taxedInvoice,
  taxedSession,
  type TaxGeneration,
  taxGenerations,
} from '#test/support/payments/taxed-payments.ts';

// Tests of the tax in an event.

const metadata = { service_click_id: 'clk_1' };

const event = (type: string, object: Record<string, unknown>) => ({
  id: 'evt_1',
  type,
  created: 1_795_186_800,
  data: { object },
});

const taxIn = (sent: ReturnType<typeof event>) => {
  const report = readEvent(sent)?.report;
  return report?.kind === 'payment' ? report.payment.taxCents : report;
};

const session = (more: object = {}) => event('checkout.session.completed', { ...taxedSession('1', metadata), ...more });

const invoice = (more: object = {}, generation: TaxGeneration = 'since 2025-09-30') =>
  event('invoice.paid', {
    ...taxedInvoice('1', metadata, { generation, subscription: 'sub_1' }),
    billing_reason: 'subscription_cycle',
    ...more,
  });

it('the tax of a Stripe checkout is the tax in its total details', () => {
  expect(taxIn(session())).toBe(1900);
});

it.each([
  ['totals without a tax', { total_details: null }],
  ['no totals', { total_details: undefined }],
  ['a non-integer tax', { total_details: { amount_tax: 19.5 } }],
  ['a tax in quotes', { total_details: { amount_tax: '1900' } }],
  ['a negative tax', { total_details: { amount_tax: -1 } }],
  ['more tax than the total', { total_details: { amount_tax: 11_901 } }],
])('the tax of a Stripe checkout is unknown with %s', (_, more) => {
  expect(taxIn(session(more))).toBe(undefined);
});

it('the tax of a Stripe checkout can be 0', () => {
  expect(taxIn(session({ total_details: { amount_tax: 0 } }))).toBe(0);
});

describe.each(taxGenerations)('the tax of a Stripe invoice %s', (generation) => {
  it('is the sum of its tax amounts', () => {
    expect(taxIn(invoice({}, generation))).toBe(1900);
  });

  it.each([
    [5950, 950],
    [1, 0],
    [3, 0],
    [4, 1],
    [11_899, 1900],
  ])('is, if %d cents are paid by card and the rest by credit, a share of %d cents', (paid, tax) => {
    expect(taxIn(invoice({ amount_paid: paid }, generation))).toBe(tax);
  });
});

it.each([
  ['neither tax nor total_taxes', { total_taxes: undefined }],
  ['a value that is not a list', { total_taxes: null }],
  ['a non-numeric amount', { total_taxes: [{ amount: 1900 }, { amount: '1' }] }],
  ['an invalid entry', { total_taxes: [1900] }],
  ['half a cent', { total_taxes: [{ amount: 0.5 }] }],
  ['more tax than the total', { total_taxes: [{ amount: 11_901 }] }],
  ['a negative tax', { total_taxes: [{ amount: -1 }] }],
  ['a total below the tax', { total: -1 }],
])('the tax of a Stripe invoice is unknown with %s', (_, more) => {
  expect(taxIn(invoice(more))).toBe(undefined);
});

it('the tax of an invoice in Stripe’s older format is unknown if the field tax is null', () => {
  expect(taxIn(invoice({ tax: null }, 'before 2025-03-31'))).toBe(undefined);
});

it('the tax of a Stripe invoice can be 0', () => {
  expect(taxIn(invoice({ total_taxes: [] }))).toBe(0);
});

it('the tax of a Stripe invoice without a total is computed from the amount paid', () => {
  expect(taxIn(invoice({ total: undefined, amount_paid: 5950 }))).toBe(1900);
});

it('a Stripe invoice of which nothing was paid is ignored', () => {
  expect(taxIn(invoice({ amount_paid: 0, total: 0 }))).toEqual({ kind: 'ignored', reason: 'nothing_paid' });
});

it.each([
  ['isk', 19],
  ['ugx', 19],
  ['jpy', 1900],
  ['mga', 190_000],
  ['kwd', 1900],
])('a tax in %s is converted from Stripe’s unit to the smallest unit that the service uses', (currency, tax) => {
  expect(taxIn(session({ currency }))).toBe(tax);
  expect(taxIn(invoice({ currency }))).toBe(tax);
});

it('the share of the tax in a very large Stripe invoice is computed without rounding errors', () => {
  const large = { amount_paid: 999_999_999_999, total: 1_000_000_000_000, total_taxes: [{ amount: 999_999_999_999 }] };
  expect(taxIn(invoice(large))).toBe(999_999_999_998);
});
