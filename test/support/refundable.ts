import { type Commission, type CommissionStatus, newCommission } from '#lib/domain/commission.ts';
import type { Sale } from '#lib/domain/sale.ts';

// A sale and its commission by themselves, to be refunded.

const AT = '2026-11-20T15:00:00.000Z';

export const recordedSale = (amountCents: number): Sale => ({
  id: 42,
  programId: 3,
  transactionId: 'in_1',
  amountCents,
  currency: 'USD',
  saleType: 'payment',
  isRecurring: false,
  source: 'processor',
  occurredAt: AT,
  createdAt: AT,
  commissionState: 'created',
  refundedCents: 0,
});

export const earnedCommission = (
  sale: Sale,
  status: CommissionStatus = 'pending',
  commissionRate = 20,
): Commission => ({
  ...newCommission(
    {
      id: 17,
      saleId: sale.id,
      programId: 3,
      partnerId: 5,
      clickId: 'clk_1',
      transactionId: sale.transactionId,
      occurredAt: AT,
      createdAt: AT,
      actor: 'processor',
    },
    { commissionType: 'percent', commissionRate, holdPeriodDays: 15, platformFeeBps: 350 },
    { ...sale, paidAt: new Date(AT) },
  ),
  status,
});
