import type { Actor } from '#lib/service/ground/changes/audit.ts';
import type { Partner } from '#lib/service/programs/partners/partner.ts';
import {
  groupOf,
  itemOfClaims,
  joinedClaims,
  type Payout,
  type PayoutItem,
  type PayoutSums,
} from '#lib/service/earnings/payouts/payout.ts';
import type { PayoutChoice } from '#lib/service/earnings/recording/payout-choice.ts';
import { claimsOfDue, flaggedIn, type LeftOutReason } from '#lib/service/earnings/recording/planned-lines.ts';
import type { ShownPayoutDetails } from '#lib/service/programs/payout-details/payout-details.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { isNewSinceLastPayout } from '#lib/service/earnings/last-payouts/is-new-since-last-payout.ts';
import { type LastPaid, lastPayments } from '#lib/service/earnings/last-payouts/last-payments.ts';
import { claimsIn } from '#lib/service/earnings/payouts/payout-claims-items.ts';
import { MOST_SHOWN_LINES } from '#lib/service/earnings/payouts/payouts-items.ts';
import { planOf, plannedBy, plannedSums } from '#lib/service/earnings/recording/plan-payout.ts';
import { type PayoutItemToPartner, withPartners } from '#lib/service/earnings/payouts/read-payouts.ts';
import { unsettledCommissionsOf } from '#lib/service/earnings/commissions/unsettled-commissions-items.ts';
import { sameAccountOf } from '#lib/service/programs/payout-details/same-account.ts';
import { sharedDetails } from '#lib/service/programs/payout-details/shared-details.ts';

interface WithDetails {
  /** The current payout details, masked. Undefined if they are not shared. */
  readonly details?: ShownPayoutDetails;
}

export interface PreviewedItem extends PayoutItemToPartner, WithDetails {
  readonly commissionIds: readonly number[];
  /** Number of flagged commissions in the item. */
  readonly flagged: number;
  readonly isNew: boolean;
  /** Ids of other partners who are paid to the same account. */
  readonly sameAccount?: readonly number[];
}

export interface LeftOutItem extends PayoutItemToPartner, WithDetails {
  readonly reason: LeftOutReason;
}

/** What a payout made now would record. */
export interface PayoutPreview {
  readonly payout: Payout;
  readonly sums: PayoutSums;
  /** The first lines that the payout would record. */
  readonly items: readonly PreviewedItem[];
  /** The first amounts that the payout would leave out. */
  readonly leftOut: readonly LeftOutItem[];
  /** The numbers of all lines and amounts, including those that are not shown. */
  readonly counts: {
    readonly lines: number;
    readonly partners: number;
    readonly commissions: number;
    readonly leftOut: number;
  };
}

/**
 * Previews the payout that would be made now, computed from the index. An open payout is shown as it will be when it is
 * complete. Writes nothing.
 */
export async function previewPayout(
  deps: Deps,
  program: Program,
  choice: PayoutChoice,
  actor: Actor,
): Promise<PayoutPreview> {
  const listing = unsettledCommissionsOf(deps.table, program.id);
  const [plan] = await Promise.all([planOf(deps, program.id, choice, actor), listing]);
  const { payout } = plan;
  const [planned, recorded] = await Promise.all([
    plannedBy(deps, plan, listing),
    payout.steps > 0 ? claimsIn(deps.table, payout.id) : [],
  ]);
  const claims = joinedClaims([...recorded, ...planned.lines.map(claimsOfDue)]);
  const flagged = new Map(planned.lines.map((line) => [groupOf(line), flaggedIn(line)]));
  const lastPaid = lastPayments(deps.table, payout, Math.min(claims.length, MOST_SHOWN_LINES));
  const shown = claims.slice(0, MOST_SHOWN_LINES).map((claim) => ({
    ...itemOfClaims(claim),
    commissionIds: claim.commissionIds,
    flagged: flagged.get(groupOf(claim)) ?? 0,
  }));
  const leftOut = planned.leftOut.slice(0, MOST_SHOWN_LINES).map((due) => ({
    ...itemOfClaims(claimsOfDue(due)),
    reason: due.reason,
  }));
  const [items, left] = await Promise.all([withPartners(deps, payout, shown), withPartners(deps, payout, leftOut)]);
  const [itemsWithDetails, leftWithDetails] = await Promise.all([
    Promise.all(items.map((item) => withDetails(deps, program, lastPaid, item))),
    Promise.all(
      left.map(async (item) => ({
        ...item,
        details: item.partner && (await sharedDetails(deps, program, item.partner)),
      })),
    ),
  ]);
  return {
    payout,
    sums: plannedSums(payout, planned.lines),
    items: itemsWithDetails,
    leftOut: leftWithDetails,
    counts: {
      lines: claims.length,
      partners: new Set(claims.map(({ partnerId }) => partnerId)).size,
      commissions: claims.reduce((sum, { commissionIds }) => sum + commissionIds.length, 0),
      leftOut: planned.leftOut.length,
    },
  };
}

async function withDetails<Item extends PayoutItem & { readonly partner?: Partner }>(
  deps: Deps,
  program: Program,
  lastPaid: LastPaid,
  item: Item,
) {
  const { partner } = item;
  if (!partner) return { ...item, isNew: true };
  const shared = sharedDetails(deps, program, partner);
  const [isNew, details, sameAccount] = await Promise.all([
    isNewSinceLastPayout(lastPaid, partner, shared),
    shared,
    shared.then((one) => sameAccountOf(deps, program.workspaceId, partner, one)),
  ]);
  return { ...item, details, isNew, sameAccount };
}
