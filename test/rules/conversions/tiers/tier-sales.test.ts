import { expect, it } from 'vitest';
import { isFinalMonthReason, withCertainSales } from '#lib/service/conversions/tiers/tier-sales.ts';
import type { Sale } from '#lib/service/conversions/sales/sale.ts';
import type { SaleCommission } from '#lib/service/earnings/commissions/commission.ts';

const change = { actor: 'operator', at: new Date('2026-12-01T00:05:00.000Z') } as const;
const rates = { base: 20, tiers: [{ fromSales: 2, rate: 25 }] };
const decided = { month: '2026-11', sales: 1 };
const commission = (status: SaleCommission['status']) =>
  ({ status, commissionRate: 20, tierSales: { ...decided, rates }, history: [] }) as unknown as SaleCommission;

it('a paid commission keeps its amount when the sales of its month become final, and waits for them no longer', () => {
  const paid = { ...commission('paid'), paidAt: '2026-11-30T10:00:00.000Z', paidOutCents: 980 };
  expect(withCertainSales({} as Sale, paid, 5, [], change)).toEqual({
    commission: { ...paid, tierSales: decided },
    shares: [],
  });
});

it('a rejected commission keeps its provisional tier, so that it can be decided again when it is reopened', () => {
  const rejected = commission('rejected');
  expect(withCertainSales({} as Sale, rejected, 5, [], change)).toEqual({ commission: rejected, shares: [] });
});

it.each([
  ['it became known what was sold in 2026-11', true],
  ['refund', false],
  [null, false],
])('the reason %j of a history row means that a month became final: %s', (reason, isFinalMonth) => {
  expect(isFinalMonthReason(reason)).toBe(isFinalMonth);
});
