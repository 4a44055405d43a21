import { totalsOf } from '#lib/service/earnings/payouts/payout.ts';
import type { LeftOutItem, PayoutPreview, PreviewedItem } from '#lib/service/earnings/recording/preview-payout.ts';
import type { TermsChange } from '#lib/service/programs/terms/terms.ts';
import type { MemberRole } from '#lib/service/people/workspaces/workspace.ts';
import { partnersPayoutReply } from '#lib/service/http/partners/payout-details-reply.ts';
import { itemReply, payoutFacts } from '#lib/service/http/earnings/payout-reply.ts';
import type * as wire from '#lib/wire/earnings/payout.ts';

/** A preview of a payout. The payout has no id yet. */
export const payoutPreviewReply = (
  { payout, sums, items, leftOut, counts }: PayoutPreview,
  changes: readonly TermsChange[],
  role: MemberRole,
): wire.PayoutPreview => ({
  ...payoutFacts(payout),
  items: items.map((item) => previewedReply(item, role)),
  totals: totalsOf(sums),
  left_out: leftOut.map(leftOutReply),
  counts: {
    lines: counts.lines,
    partners: counts.partners,
    commissions: counts.commissions,
    left_out: counts.leftOut,
  },
  changed_terms: changes.map(({ from, id, name, at, by }) => ({ from, id, name: name ?? null, at, by: by ?? null })),
});

const previewedReply = (item: PreviewedItem, role: MemberRole): wire.PayoutPreview['items'][number] => ({
  ...itemReply(item),
  payout: partnersPayoutReply(item.details, item.partner),
  flagged: item.flagged,
  new_since_last_payout: item.isNew,
  same_account: role === 'owner' ? [...(item.sameAccount ?? [])] : [],
  commission_ids: item.commissionIds,
});

const leftOutReply = (item: LeftOutItem): wire.PayoutPreview['left_out'][number] => ({
  ...itemReply(item),
  payout: partnersPayoutReply(item.details, item.partner),
  reason: item.reason,
});
