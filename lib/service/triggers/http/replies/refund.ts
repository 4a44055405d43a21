import type { RecordedRefund, RefundRequest } from '#lib/service/use-cases/record-refund.ts';
import type * as wire from '#lib/wire/refund.ts';

/** The answer to a refund. */
export function refundReply(
  { reason }: RefundRequest,
  { saleId, commissionId, outcome }: RecordedRefund,
): wire.RefundReply {
  if (outcome.status === 'noCommission' || commissionId === null) {
    return {
      success: true,
      status: 'no_commission',
      sale_id: saleId,
      commission_id: null,
      message: 'Sale has no commission to reverse',
    };
  }
  const ids = { sale_id: saleId, commission_id: commissionId };
  if (outcome.status === 'skipped') {
    return outcome.reason === 'commission rejected'
      ? {
          success: true,
          status: 'skipped',
          ...ids,
          reason: outcome.reason,
          message: 'Refund recorded; the commission was rejected before, so nothing is deducted',
        }
      : { success: true, status: 'skipped', ...ids, reason: outcome.reason, message: 'Refund already recorded' };
  }
  const deducted = {
    ...ids,
    refunded_amount_cents: outcome.refundedCents,
    deduction_cents: outcome.deductionCents,
    ...(reason === 'chargeback' && { reason }),
  };
  return outcome.status === 'reversed'
    ? { success: true, status: 'reversed', ...deducted, message: 'Commission reversed' }
    : { success: true, status: 'refunded', ...deducted, message: 'Commission reduced' };
}
