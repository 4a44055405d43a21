import type { RefundOutcome } from '#lib/service/conversions/refunds/refund.ts';
import type { RecordedRefund, RefundRequest } from '#lib/service/conversions/refunds/record-refund.ts';
import type * as wire from '#lib/wire/conversions/refund.ts';

export function refundReply(
  { reason }: Pick<RefundRequest, 'reason'>,
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
  if (outcome.status === 'skipped') return skippedReply(ids, outcome);
  const amounts = {
    ...ids,
    refunded_amount_cents: outcome.refundedCents,
    deduction_cents: outcome.deductionCents,
  };
  if (outcome.status === 'corrected') {
    return { success: true, status: 'corrected', ...amounts, message: 'Refund corrected' };
  }
  const deducted = { ...amounts, ...(reason === 'chargeback' && { reason }) };
  return outcome.status === 'reversed'
    ? { success: true, status: 'reversed', ...deducted, message: 'Commission reversed' }
    : { success: true, status: 'refunded', ...deducted, message: 'Commission reduced' };
}

const skippedReply = (
  ids: { readonly sale_id: number; readonly commission_id: number },
  { reason }: Extract<RefundOutcome, { status: 'skipped' }>,
): wire.RefundReply =>
  reason === 'commission rejected'
    ? {
        success: true,
        status: 'skipped',
        ...ids,
        reason,
        message: 'Refund recorded; the commission was rejected before, so nothing is deducted',
      }
    : { success: true, status: 'skipped', ...ids, reason, message: 'Refund already recorded' };

/** The reply to an owner's correction. */
export function ownersRefundReply(request: Pick<RefundRequest, 'reason'>, recorded: RecordedRefund): wire.OwnersRefund {
  const { success: _success, message: _message, ...data } = refundReply(request, recorded);
  return data;
}
