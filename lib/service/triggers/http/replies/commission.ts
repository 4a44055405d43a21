import { paidSoFarCents, payableCents } from '#lib/domain/commission-lifecycle.ts';
import { csvOf } from '#lib/service/triggers/http/csv.ts';
import type { Decided } from '#lib/service/use-cases/decide-commission.ts';
import type { CommissionOfPartner } from '#lib/service/use-cases/list-commissions.ts';
import type * as wire from '#lib/wire/commission.ts';

/** A commission with its status at this moment. */
export const commissionReply = ({ commission, partner }: CommissionOfPartner): wire.Commission => ({
  id: commission.id,
  program_id: commission.programId,
  partner_id: commission.partnerId,
  partner_name: partner?.name ?? null,
  click_id: commission.clickId,
  sale_id: commission.saleId,
  transaction_id: commission.transactionId,
  status: commission.status,
  commission_type: commission.commissionType,
  commission_rate: commission.commissionRate,
  base_amount_cents: commission.baseAmountCents,
  amount_cents: commission.amountCents,
  deducted_cents: commission.deductedCents,
  payable_cents: payableCents(commission),
  paid_out_cents: paidSoFarCents(commission),
  currency: commission.currency,
  refund_state: commission.refundState,
  reversal_reason: commission.reversalReason ?? null,
  rejection_reason: commission.rejectionReason ?? null,
  needs_review: commission.needsReview ?? false,
  platform_fee: {
    amount_cents: commission.platformFee.amountCents,
    reduced_cents: commission.platformFee.reducedCents,
    bps: commission.platformFee.bps,
    currency: commission.platformFee.currency,
  },
  occurred_at: commission.occurredAt,
  hold_until: commission.holdUntil,
  approved_at: commission.approvedAt ?? null,
  paid_at: commission.paidAt ?? null,
  reversed_at: commission.reversedAt ?? null,
  payout_id: commission.payoutId ?? null,
  created_at: commission.createdAt,
});

/** @param textOf the text of an error */
export const decidedReply = (
  { id, status, error }: Decided,
  textOf: (error: unknown) => string,
): wire.DecidedCommission => ({ id, status: status ?? null, error: error === undefined ? null : textOf(error) });

/** The columns of the export, in order. */
const columns: Readonly<Record<string, (row: CommissionOfPartner) => string | number | undefined>> = {
  commission_id: ({ commission }) => commission.id,
  sale_id: ({ commission }) => commission.saleId,
  transaction_id: ({ commission }) => commission.transactionId,
  partner_id: ({ commission }) => commission.partnerId,
  partner_name: ({ partner }) => partner?.name,
  partner_email: ({ partner }) => partner?.email,
  status: ({ commission }) => commission.status,
  currency: ({ commission }) => commission.currency,
  sale_amount_cents: ({ commission }) => commission.baseAmountCents,
  commission_cents: ({ commission }) => commission.amountCents,
  deducted_cents: ({ commission }) => commission.deductedCents,
  payable_cents: ({ commission }) => payableCents(commission),
  platform_fee_cents: ({ commission }) => commission.platformFee.amountCents - commission.platformFee.reducedCents,
  occurred_at: ({ commission }) => commission.occurredAt,
  hold_until: ({ commission }) => commission.holdUntil,
  approved_at: ({ commission }) => commission.approvedAt,
  paid_at: ({ commission }) => commission.paidAt,
  reversed_at: ({ commission }) => commission.reversedAt,
  payout_id: ({ commission }) => commission.payoutId,
};

export const commissionsCsv = csvOf(columns);
