import { kindOf, ofSale } from '#lib/service/earnings/commissions/commission.ts';
import {
  paidInPayoutCents,
  payableCents,
  statusForPartner,
} from '#lib/service/earnings/commissions/commission-lifecycle.ts';
import {
  type CommissionStory,
  storyStepsOf,
  termsText,
  windowText,
} from '#lib/service/reports/stories/commission-story.ts';
import { lineIdOf, lineNumberOf } from '#lib/service/earnings/lines/payout-line.ts';
import type { WithPayoutStatus } from '#lib/service/earnings/lines/payout-status.ts';
import type { Currency } from '#lib/service/ground/values/currency.ts';
import type { DueDay } from '#lib/service/earnings/payouts/owed.ts';
import type { PartnerBalance } from '#lib/service/reports/exports/balances.ts';
import type { Partner } from '#lib/service/programs/partners/partner.ts';
import type { Performance, Totals } from '#lib/service/ground/values/performance.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import type { PartnerPayout } from '#lib/service/earnings/payouts/partner-payouts-items.ts';
import { amountCell, type Columns, csvOf } from '#lib/service/http/messages/csv.ts';
import { customerAmountsReply } from '#lib/service/http/traffic/customer-reply.ts';
import { termsVersionReply } from '#lib/service/http/programs/terms-reply.ts';
import type { OwnCustomer } from '#lib/service/reports/exports/list-own-customers.ts';
import type * as wire from '#lib/wire/reports/portal-figures.ts';

export const ownPerformanceReply = ({ from, to, days, totals, previous }: Performance): wire.PortalPerformance => ({
  from,
  to,
  days: days.map(({ date, ...counted }) => ({ date, ...totalsReply(counted) })),
  totals: totalsReply(totals),
  previous: { from: previous.from, to: previous.to, totals: totalsReply(previous.totals) },
});

const totalsReply = ({ clicks, leads, sales, amounts }: Totals): wire.PortalTotals => ({
  clicks,
  leads,
  sales,
  amounts: Object.fromEntries(
    Object.entries(amounts).map(([currency, amount]) => [
      currency,
      {
        revenue_cents: amount.revenueCents,
        refunded_cents: amount.refundedCents,
        commission_cents: amount.commissionCents,
        rejected_cents: amount.rejectedCents,
      },
    ]),
  ),
});

export const balancesReply = (balances: Readonly<Record<Currency, PartnerBalance>>): wire.PortalBalances =>
  Object.fromEntries(
    Object.entries(balances).map(([currency, balance]) => [
      currency,
      {
        pending_cents: balance.pendingCents,
        in_review_cents: balance.inReviewCents,
        approved_cents: balance.approvedCents,
        restored_cents: balance.restoredCents,
        paid_cents: balance.paidCents,
        held_cents: balance.heldCents,
        withheld_cents: balance.withheldCents,
        on_the_way_cents: balance.onTheWayCents,
        next: balance.next.map(dueDayReply),
        next_payout: balance.nextPayout ? dueDayReply(balance.nextPayout) : null,
      },
    ]),
  );

const dueDayReply = ({ on, amountCents }: DueDay) => ({ on, amount_cents: amountCents });

/**
 * A customer as its partner sees it.
 * @param program the program, whose setting decides whether partners may see addresses
 */
export const ownCustomerReply = (
  { shareCustomerEmails = false }: Pick<Program, 'shareCustomerEmails'>,
  { name, customer, shortLink, amounts }: OwnCustomer,
): wire.PortalCustomer => ({
  id: name,
  first_click_at: customer.firstClickAt,
  signup_at: customer.signupAt ?? null,
  first_purchase_at: customer.firstPurchaseAt ?? null,
  status: customer.status,
  link: shortLink ?? null,
  email_masked: shareCustomerEmails ? (customer.email?.masked ?? null) : null,
  amounts: customerAmountsReply(amounts),
});

/** A commission with its current status. */
export const ownCommissionReply = (commission: WithPayoutStatus): wire.PortalCommission => ({
  id: commission.id,
  kind: kindOf(commission),
  status: statusForPartner(commission.status),
  amount_cents: commission.amountCents,
  deducted_cents: commission.deductedCents,
  payable_cents: payableCents(commission),
  currency: commission.currency,
  base_amount_cents: ofSale(commission)?.baseAmountCents ?? null,
  occurred_at: commission.occurredAt,
  hold_until: commission.holdUntil,
  approved_at: commission.approvedAt ?? null,
  paid_at: commission.paidAt ?? null,
  payout_id: commission.payoutId ?? null,
  rejection_reason: commission.rejectionReason ?? null,
  by_hand: commission.byHand ?? false,
  reversal_reason: commission.reversalReason ?? null,
  payout_status: commission.payoutStatus ?? null,
});

/** A commission in a payout, with the amount that this payout paid for it. */
export const paidCommissionReply = (commission: WithPayoutStatus, payoutId: number): wire.PaidCommission => ({
  ...ownCommissionReply(commission),
  paid_in_payout_cents: paidInPayoutCents(commission, payoutId),
});

/** The columns of the export: the fields of the list in the same order, with amounts as decimal numbers. */
const columns: Columns<wire.PortalCommission> &
  Record<Exclude<keyof wire.PortalCommission, 'by_hand'>, Columns<wire.PortalCommission>[string]> = {
  id: (row) => row.id,
  kind: (row) => row.kind,
  status: (row) => row.status,
  amount_cents: (row) => row.amount_cents,
  deducted_cents: (row) => row.deducted_cents,
  payable_cents: (row) => row.payable_cents,
  currency: (row) => row.currency,
  base_amount_cents: (row) => row.base_amount_cents ?? undefined,
  occurred_at: (row) => row.occurred_at,
  hold_until: (row) => row.hold_until,
  approved_at: (row) => row.approved_at ?? undefined,
  paid_at: (row) => row.paid_at ?? undefined,
  payout_id: (row) => row.payout_id ?? undefined,
  rejection_reason: (row) => row.rejection_reason ?? undefined,
  reversal_reason: (row) => row.reversal_reason ?? undefined,
  payout_status: (row) => row.payout_status ?? undefined,
  amount: (row) => amountCell(row.amount_cents, row.currency),
  deducted: (row) => amountCell(row.deducted_cents, row.currency),
  payable: (row) => amountCell(row.payable_cents, row.currency),
  base_amount: (row) => (row.base_amount_cents === null ? undefined : amountCell(row.base_amount_cents, row.currency)),
};

const csv = csvOf(columns);

export const ownCommissionsCsv = {
  header: csv.header,
  lines: (rows: readonly WithPayoutStatus[]): string => csv.lines(rows.map(ownCommissionReply)),
};

/** A partner's commission with its history. @param partner the partner whose name is shown if the terms are personal */
export const explainedCommissionReply = (
  story: CommissionStory & { readonly commission: WithPayoutStatus },
  partner: Pick<Partner, 'name'>,
): wire.ExplainedCommission => {
  const { commission, sale } = story;
  const version = commission.kind === 'manual' ? undefined : commission.terms;
  return {
    ...ownCommissionReply(commission),
    why: {
      terms: version ? { ...termsVersionReply(version, partner), text: termsText(story) } : null,
      steps: storyStepsOf(story),
      window: sale?.attribution ? windowText(sale.attribution) : null,
    },
  };
};

export const ownPayoutReply = (payout: PartnerPayout): wire.PortalPayout => ({
  id: payout.payoutId,
  created_at: payout.createdAt,
  currency: payout.currency,
  amount_cents: payout.amountCents,
  commission_ids: payout.commissionIds,
  reference: payout.reference ?? null,
  line_id: lineIdOf(payout),
  number: lineNumberOf(payout),
  status: payout.line?.status ?? 'recorded',
  reason: payout.line?.reason ?? null,
  sent_at: payout.line?.sentAt ?? null,
  paid_at: payout.line?.paidAt ?? null,
});
