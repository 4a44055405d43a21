import type { OwedAmounts } from '#lib/service/earnings/payouts/owed.ts';
import type { Currency } from '#lib/service/ground/values/currency.ts';
import { type Payout, totalsOf } from '#lib/service/earnings/payouts/payout.ts';
import type { TermsChange } from '#lib/service/programs/terms/terms.ts';
import type { MemberRole } from '#lib/service/people/workspaces/workspace.ts';
import { csvOf } from '#lib/service/http/messages/csv.ts';
import { partnersPayoutReply } from '#lib/service/http/partners/payout-details-reply.ts';
import type { PayoutItemToPay, PayoutToPay } from '#lib/service/earnings/payouts/payout-to-pay.ts';
import type {
  PayoutItemToPartner,
  PayoutOfCommissions,
  PayoutToPartners,
  PreviewToPartners,
} from '#lib/service/earnings/payouts/read-payouts.ts';
import type * as wire from '#lib/wire/earnings/payout.ts';

/** A payout in a list, without its commissions. */
export const listedPayoutReply = ({ payout, items }: PayoutToPartners): wire.ListedPayout => ({
  id: payout.id,
  ...payoutFacts(payout),
  items: items.map(itemReply),
  totals: totalsOf(payout),
});

export const payoutReply = ({ payout, items }: PayoutOfCommissions): wire.Payout => ({
  id: payout.id,
  ...payoutFacts(payout),
  items: items.map((item) => ({ ...itemReply(item), commission_ids: item.commissionIds })),
  totals: totalsOf(payout),
});

/** The preview of a payout, which has no id yet. */
export const payoutPreviewReply = (
  { payout, items, held, carriedOver }: PreviewToPartners,
  changes: readonly TermsChange[],
  role: MemberRole,
): wire.PayoutPreview => ({
  ...payoutFacts(payout),
  items: items.map((item) => ({ ...previewedReply(item, role), commission_ids: item.commissionIds })),
  totals: totalsOf(payout),
  held: held.map((item) => previewedReply(item, role)),
  carried_over: carriedOver
    ? {
        partners: carriedOver.partners,
        currency: carriedOver.minimum.currency,
        amount_cents: carriedOver.amountCents,
        minimum_cents: carriedOver.minimum.cents,
      }
    : null,
  changed_terms: changes.map(({ from, id, name, at, by }) => ({ from, id, name: name ?? null, at, by: by ?? null })),
});

const previewedReply = (
  item: PreviewToPartners['held'][number],
  role: MemberRole,
): wire.PayoutPreview['held'][number] => ({
  ...itemReply(item),
  payout: partnersPayoutReply(item.details, item.partner),
  flagged: item.flagged,
  new_since_last_payout: item.isNew,
  same_account: role === 'owner' ? [...(item.sameAccount ?? [])] : [],
});

const payoutFacts = (payout: Payout): Omit<wire.Payout, 'id' | 'items' | 'totals'> => ({
  program_id: payout.programId,
  status: payout.status,
  through: payout.through ?? null,
  reference: payout.reference ?? null,
  created_by: payout.createdBy,
  created_at: payout.createdAt,
});

const itemReply = ({ partner, ...item }: PayoutItemToPartner): wire.ListedPayout['items'][number] => ({
  partner_id: item.partnerId,
  partner_name: partner?.name ?? null,
  partner_email: partner?.email ?? null,
  currency: item.currency,
  amount_cents: item.amountCents,
});

interface PayoutRow {
  readonly payout: PayoutToPartners['payout'];
  readonly item: PayoutItemToPay;
}

/** The columns of a payout's file, in order. The payment method is empty until the partner enters it. */
const columns: Readonly<Record<string, (row: PayoutRow) => string | number | undefined>> = {
  payout_id: ({ payout }) => payout.id,
  partner_id: ({ item }) => item.partnerId,
  partner_name: ({ item }) => item.partner?.name,
  partner_email: ({ item }) => item.partner?.email,
  currency: ({ item }) => item.currency,
  amount_cents: ({ item }) => item.amountCents,
  commissions: ({ item }) => item.commissions,
  method: ({ item }) => item.method,
  details: ({ item }) => item.details,
  reference: ({ payout }) => payout.reference,
  new_since_last_payout: ({ item }) => (item.isNew ? 'yes' : ''),
};

const spelling = csvOf(columns);

/** The file always fits into one reply, because the items of a payout are limited. */
export const payoutCsv = ({ payout, items }: PayoutToPay): string =>
  spelling.header + spelling.lines(items.map((item) => ({ payout, item })));

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
