import type { OwedAmounts } from '#lib/service/earnings/payouts/owed.ts';
import type { Currency } from '#lib/service/ground/values/currency.ts';
import { countsByStatus, type StoredCounts } from '#lib/service/earnings/lines/line-counts.ts';
import { countIn, type Payout, progressOf, sumsOf, totalsOf } from '#lib/service/earnings/payouts/payout.ts';
import type {
  PayoutItemToPartner,
  PayoutOfCommissions,
  PayoutToPartners,
} from '#lib/service/earnings/payouts/read-payouts.ts';
import type * as wire from '#lib/wire/earnings/payout.ts';

/** In a list, payouts are shown without their commissions. */
export const listedPayoutReply = ({ payout, counts, items }: PayoutToPartners): wire.ListedPayout => ({
  id: payout.id,
  ...payoutFacts(payout),
  items: items.map(itemReply),
  ...sumsReply(payout, counts),
});

export const payoutReply = ({ payout, counts, items }: PayoutOfCommissions): wire.Payout => ({
  id: payout.id,
  ...payoutFacts(payout),
  items: items.map((item) => ({ ...itemReply(item), commission_ids: item.commissionIds })),
  ...sumsReply(payout, counts),
});

const sumsReply = (payout: Payout, counts: StoredCounts | undefined) => ({
  totals: totalsOf(sumsOf(payout)),
  lines: countIn(sumsOf(payout), 'lines'),
  by_status: countsByStatus(sumsOf(payout), counts),
  progress: payout.status === 'open' ? progressOf(payout) : null,
});

export const payoutFacts = (payout: Payout) => ({
  program_id: payout.programId,
  status: payout.status,
  through: payout.through ?? null,
  reference: payout.reference ?? null,
  created_by: payout.createdBy,
  created_at: payout.createdAt,
});

export const itemReply = ({ partner, ...item }: PayoutItemToPartner): wire.ListedPayout['items'][number] => ({
  partner_id: item.partnerId,
  partner_name: partner?.name ?? null,
  partner_email: partner?.email ?? null,
  currency: item.currency,
  amount_cents: item.amountCents,
});

export const owedReply = (owed: Readonly<Record<Currency, OwedAmounts>>): wire.Owed =>
  Object.fromEntries(
    Object.entries(owed).map(([currency, amounts]): [string, wire.OwedAmounts] => [
      currency,
      {
        pending_cents: amounts.pendingCents,
        approved_cents: amounts.approvedCents,
        held_cents: amounts.heldCents,
        due_now_cents: amounts.dueNowCents,
        balance_cents: amounts.balanceCents,
        by_date: amounts.byDate.map(({ on, amountCents }) => ({ on, amount_cents: amountCents })),
      },
    ]),
  );
