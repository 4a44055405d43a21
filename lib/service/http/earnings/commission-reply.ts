import {
  chargedFee,
  kindOf,
  type LeadCommission,
  type ManualCommission,
  ofSale,
  type SaleCommission,
} from '#lib/service/earnings/commissions/commission.ts';
import { paidSoFarCents, payableCents } from '#lib/service/earnings/commissions/commission-lifecycle.ts';
import type { WithPayoutStatus } from '#lib/service/earnings/lines/payout-status.ts';
import type { Partner } from '#lib/service/programs/partners/partner.ts';
import { versionOf } from '#lib/service/ground/changes/versions.ts';
import { amountCell, type Columns, csvOf } from '#lib/service/http/messages/csv.ts';
import { termsVersionReply } from '#lib/service/http/programs/terms-reply.ts';
import type { Decided } from '#lib/service/earnings/commissions/decide-commission.ts';
import type { CommissionOfSale } from '#lib/service/reports/exports/export-commissions.ts';
import type { CommissionOfPartner } from '#lib/service/reports/lists/list-commissions.ts';
import type * as wire from '#lib/wire/earnings/commission.ts';

/** A commission with its current status. */
export function commissionReply({ commission, partner }: CommissionOfPartner): wire.Commission {
  if (commission.kind === 'lead') return leadCommissionReply(commission, partner);
  if (commission.kind === 'manual') return manualCommissionReply(commission, partner);
  return saleCommissionReply(commission, partner);
}

export const saleCommissionReply = (
  commission: WithPayoutStatus<SaleCommission>,
  partner: Partner | undefined,
): wire.SaleCommission => ({
  ...commonReply(commission, partner),
  kind: 'sale',
  click_id: commission.clickId,
  sale_id: commission.saleId,
  transaction_id: commission.transactionId,
  lead_id: null,
  commission_type: commission.commissionType,
  commission_rate: commission.commissionRate,
  terms: termsVersionReply(commission.terms, partner),
  base_amount_cents: commission.baseAmountCents,
  platform_fee: {
    amount_cents: chargedFee(commission).amountCents,
    reduced_cents: chargedFee(commission).reducedCents,
    bps: commission.platformFee.bps,
    currency: commission.platformFee.currency,
  },
  reason: null,
  external_id: null,
});

const withoutSale = {
  sale_id: null,
  transaction_id: null,
  commission_rate: null,
  base_amount_cents: null,
  platform_fee: null,
} as const;

const leadCommissionReply = (
  commission: WithPayoutStatus<LeadCommission>,
  partner: Partner | undefined,
): wire.LeadCommission => ({
  ...commonReply(commission, partner),
  kind: 'lead',
  click_id: commission.clickId,
  lead_id: commission.leadId,
  ...withoutSale,
  commission_type: 'lead',
  terms: termsVersionReply(commission.terms, partner),
  reason: null,
  external_id: null,
});

const manualCommissionReply = (
  commission: WithPayoutStatus<ManualCommission>,
  partner: Partner | undefined,
): wire.ManualCommission => ({
  ...commonReply(commission, partner),
  kind: 'manual',
  click_id: null,
  lead_id: null,
  ...withoutSale,
  commission_type: 'manual',
  terms: null,
  reason: commission.reason,
  external_id: commission.externalId ?? null,
});

const commonReply = (commission: WithPayoutStatus, partner: Partner | undefined) => ({
  id: commission.id,
  program_id: commission.programId,
  partner_id: commission.partnerId,
  partner_name: partner?.name ?? null,
  status: commission.status,
  amount_cents: commission.amountCents,
  deducted_cents: commission.deductedCents,
  payable_cents: payableCents(commission),
  paid_out_cents: paidSoFarCents(commission),
  currency: commission.currency,
  refund_state: commission.refundState,
  reversal_reason: commission.reversalReason ?? null,
  rejection_reason: commission.rejectionReason ?? null,
  by_hand: commission.byHand ?? false,
  needs_review: commission.needsReview ?? false,
  occurred_at: commission.occurredAt,
  hold_until: commission.holdUntil,
  flags: (commission.flags ?? []).map(({ rule, at, evidence }) => ({ rule, at, evidence })),
  held_at: commission.heldAt ?? null,
  released_at: commission.releasedAt ?? null,
  approved_at: commission.approvedAt ?? null,
  paid_at: commission.paidAt ?? null,
  reversed_at: commission.reversedAt ?? null,
  payout_id: commission.payoutId ?? null,
  payout_status: commission.payoutStatus ?? null,
  created_at: commission.createdAt,
  version: versionOf(commission),
});

/** The result for one of several commissions. @param textOf returns the text that is shown for an error */
export const decidedReply = (
  { id, status, error }: Decided,
  textOf: (error: unknown) => string,
): wire.DecidedCommission => ({ id, status: status ?? null, error: error === undefined ? null : textOf(error) });

function chargedCents(commission: SaleCommission | undefined): number | undefined {
  const fee = commission && chargedFee(commission);
  return fee && fee.amountCents - fee.reducedCents;
}

const saleCents = ({ commission, sale }: CommissionOfSale): number | undefined =>
  sale?.amountCents ?? ofSale(commission)?.baseAmountCents;

const amountOf = ({ commission }: CommissionOfSale, cents: number | undefined) =>
  cents === undefined ? undefined : amountCell(cents, commission.currency);

/** The columns of the export, in order. */
const columns: Columns<CommissionOfSale> = {
  commission_id: ({ commission }) => commission.id,
  sale_id: ({ commission }) => ofSale(commission)?.saleId,
  transaction_id: ({ commission }) => ofSale(commission)?.transactionId,
  partner_id: ({ commission }) => commission.partnerId,
  partner_name: ({ partner }) => partner?.name,
  partner_email: ({ partner }) => partner?.email,
  status: ({ commission }) => commission.status,
  currency: ({ commission }) => commission.currency,
  sale_amount_cents: saleCents,
  commission_cents: ({ commission }) => commission.amountCents,
  deducted_cents: ({ commission }) => commission.deductedCents,
  payable_cents: ({ commission }) => payableCents(commission),
  platform_fee_cents: ({ commission }) => chargedCents(ofSale(commission)),
  occurred_at: ({ commission }) => commission.occurredAt,
  hold_until: ({ commission }) => commission.holdUntil,
  approved_at: ({ commission }) => commission.approvedAt,
  paid_at: ({ commission }) => commission.paidAt,
  reversed_at: ({ commission }) => commission.reversedAt,
  payout_id: ({ commission }) => commission.payoutId,
  kind: ({ commission }) => kindOf(commission),
  lead_id: ({ commission }) => (commission.kind === 'lead' ? commission.leadId : undefined),
  tax_cents: ({ sale }) => sale?.taxCents,
  code: ({ commission }) => ofSale(commission)?.code,
  flags: ({ commission }) => commission.flags?.map(({ rule }) => rule).join(' '),
  held_at: ({ commission }) => commission.heldAt,
  released_at: ({ commission }) => commission.releasedAt,
  external_id: ({ commission }) => (commission.kind === 'manual' ? commission.externalId : undefined),
  payout_status: ({ commission }) => commission.payoutStatus,
  sale_amount: (row) => amountOf(row, saleCents(row)),
  commission: (row) => amountOf(row, row.commission.amountCents),
  deducted: (row) => amountOf(row, row.commission.deductedCents),
  payable: (row) => amountOf(row, payableCents(row.commission)),
  platform_fee: (row) => amountOf(row, chargedCents(ofSale(row.commission))),
};

export const commissionsCsv = csvOf(columns);
