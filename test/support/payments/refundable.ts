import {
  type SaleCommission,
  type CommissionStatus,
  newCommission,
} from '#lib/service/earnings/commissions/commission.ts';
import type { Refunded } from '#lib/service/conversions/refunds/refund.ts';
import type { Sale } from '#lib/service/conversions/sales/sale.ts';
import { termsOf } from '#test/support/payments/terms.ts';

// A sale and its commission that are not in a table, for tests of refunds.

export const PAID_AT = '2026-11-20T15:00:00.000Z';
export const REVERSED_AT = '2026-11-25T00:00:00.000Z';
export const byProcessor = { actor: 'processor', at: new Date(REVERSED_AT) } as const;
export const byApi = { actor: 'api', at: new Date(REVERSED_AT) } as const;

export const recordedSale = (amountCents: number, source: Sale['source'] = 'processor'): Sale => ({
  id: 42,
  programId: 3,
  transactionId: 'in_1',
  amountCents,
  currency: 'USD',
  saleType: 'payment',
  isRecurring: false,
  source,
  occurredAt: PAID_AT,
  createdAt: PAID_AT,
  commissionState: 'created',
  refundedCents: 0,
});

export const earnedCommission = (
  sale: Sale,
  status: CommissionStatus = 'pending',
  commissionRate = 20,
): SaleCommission => ({
  ...newCommission(
    {
      id: 17,
      saleId: sale.id,
      programId: 3,
      partnerId: 5,
      clickId: 'clk_1',
      transactionId: sale.transactionId,
      occurredAt: PAID_AT,
      createdAt: PAID_AT,
      actor: sale.source,
    },
    termsOf({ commissionRate, holdPeriodDays: 15, platformFeeBps: 350 }),
    { ...sale, paidAt: new Date(PAID_AT) },
  ),
  status,
});

/** The final state, without histories and times. */
export const endOf = ({ sale, commission }: Pick<Refunded, 'sale' | 'commission'>) => ({
  refundedCents: sale.refundedCents,
  refundReason: sale.refundReason,
  status: commission?.status,
  deductedCents: commission?.deductedCents,
  feeCents: commission?.platformFee.reducedCents,
  refundState: commission?.refundState,
  reversalReason: commission?.reversalReason,
});
