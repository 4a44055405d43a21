import { expect, it } from 'vitest';
import { salesOf, shownRefundsOf } from '#lib/apps/dashboard/customer/sales-of-customer.ts';
import type { CustomerHistory } from '#lib/wire/traffic/customer-history.ts';

const at = '2026-11-20T15:00:00.000Z';
// The test checks at most this many rows of each list.
const sales = [
  { id: 2, transaction_id: 'in_2', currency: 'EUR' },
  { id: 1, transaction_id: 'in_1', currency: 'VND' },
] as CustomerHistory['sales'];
const commissions = [{ id: 7, sale_id: 1, currency: 'USD' }] as CustomerHistory['commissions'];
const refund = {
  id: 9,
  at,
  reason: 'refund',
  refund_reason: null,
  amount_cents: 100,
  refunded_amount_cents: 100,
  deduction_cents: 20,
} as const;

it('the list of a customer’s sales contains their commissions', () => {
  expect(salesOf({ sales, commissions })).toEqual([
    { sale: sales[0], commission: undefined },
    { sale: sales[1], commission: commissions[0] },
  ]);
});

it('the list of a customer’s refunds shows each refund in the currency of its sale', () => {
  const refunds = [
    { ...refund, sale_id: 2, transaction_id: 'in_2' },
    { ...refund, id: 8, sale_id: 1, transaction_id: 'in_1' },
  ];
  expect(shownRefundsOf({ sales, commissions, refunds })).toEqual([
    { ...refunds[0], currency: 'EUR', commissionCurrency: undefined },
    { ...refunds[1], currency: 'VND', commissionCurrency: 'USD' },
  ]);
});
