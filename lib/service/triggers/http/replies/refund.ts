import type { RecordedRefund, RefundRequest } from '#lib/service/use-cases/record-refund.ts';

const skippedMessages = {
  'already reversed': 'Refund already recorded',
  'already refunded': 'Refund already recorded',
  'commission rejected': 'Refund recorded; the commission was rejected before, so nothing is deducted',
} as const;

/** The answer to a refund (contract 8). */
export function refundReply({ reason }: RefundRequest, recorded: RecordedRefund): Record<string, unknown> {
  const { saleId, commissionId, outcome } = recorded;
  const reply = (status: string, message: string, more: Record<string, unknown> = {}) => ({
    success: true,
    status,
    sale_id: saleId,
    commission_id: commissionId,
    ...more,
    message,
  });
  if (outcome.status === 'noCommission') return reply('no_commission', 'Sale has no commission to reverse');
  if (outcome.status === 'skipped') {
    return reply('skipped', skippedMessages[outcome.reason], { reason: outcome.reason });
  }
  return reply(outcome.status, outcome.status === 'reversed' ? 'Commission reversed' : 'Commission reduced', {
    refunded_amount_cents: outcome.refundedCents,
    deduction_cents: outcome.deductionCents,
    ...(reason === 'chargeback' && { reason }),
  });
}
