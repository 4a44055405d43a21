import type { Sale } from '#lib/service/conversions/sales/sale.ts';

type PaymentStatus = 'paid' | 'partially_refunded' | 'refunded' | 'disputed';

export function paymentStatusOf({ amountCents, refundedCents, refundReason }: Sale): PaymentStatus {
  if (refundedCents === 0) return 'paid';
  if (refundReason === 'chargeback') return 'disputed';
  return refundedCents < amountCents ? 'partially_refunded' : 'refunded';
}
