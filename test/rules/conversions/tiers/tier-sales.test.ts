import { expect, it } from 'vitest';
import { isFinalMonthReason, withCertainSales } from '#lib/service/conversions/tiers/tier-sales.ts';
import type { Sale } from '#lib/service/conversions/sales/sale.ts';
import type { SaleCommission } from '#lib/service/earnings/commissions/commission.ts';

const change = { actor: 'operator', at: new Date('2026-12-01T00:05:00.000Z') } as const;
const rates = { base: 20, tiers: [{ fromSales: 2, rate: 25 }] };
const decided = { month: '2026-11', sales: 1 };
const commission = (status: SaleCommission['status']) =>
  ({ status, commissionRate: 20, tierSales: { ...decided, rates }, history: [] }) as unknown as SaleCommission;

it('a paid commission keeps its amount when the number of sales of its month is final, and no longer waits for that number', () => {
  const paid = { ...commission('paid'), paidAt: '2026-11-30T10:00:00.000Z', paidOutCents: 980 };
  expect(withCertainSales({} as Sale, paid, 5, [], change)).toEqual({
    commission: { ...paid, tierSales: decided },
    shares: [],
  });
});

it('a rejected commission does not change when the number of sales of its month is final', () => {
  const rejected = commission('rejected');
  expect(withCertainSales({} as Sale, rejected, 5, [], change)).toEqual({ commission: rejected, shares: [] });
});

it.each([
  ['it became known what was sold in 2026-11', true],
  ['refund', false],
  [null, false],
])(
  'the reason %j in a commission’s history says that the sales of a month became final: %s',
  (reason, isFinalMonth) => {
    expect(isFinalMonthReason(reason)).toBe(isFinalMonth);
  },
);
