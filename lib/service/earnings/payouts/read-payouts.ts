import { changesBetween } from '#lib/service/ground/changes/audit.ts';
import type { Page, PageRequest } from '#lib/service/ground/values/paging.ts';
import type { Partner } from '#lib/service/programs/partners/partner.ts';
import {
  countIn,
  groupOf,
  joinedClaims,
  type Payout,
  type PayoutClaims,
  type PayoutItem,
  sumsOf,
} from '#lib/service/earnings/payouts/payout.ts';
import type { StoredCounts } from '#lib/service/earnings/lines/line-counts.ts';
import { findLineCounts, itemsOf } from '#lib/service/earnings/lines/payout-lines-items.ts';
import { payoutNotFound, programNotFound } from '#lib/service/ground/values/refusals.ts';
import type { Comparison } from '#lib/service/ground/changes/seen.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findPartner } from '#lib/service/programs/partners/partners-items.ts';
import { findProgram } from '#lib/service/programs/program/programs-items.ts';
import {
  findPayout,
  MOST_SHOWN_LINES,
  payoutsOf,
  referredPayoutWrites,
} from '#lib/service/earnings/payouts/payouts-items.ts';
import { auditWrites } from '#lib/service/people/workspaces/audit-writes.ts';
import { checkSeen } from '#lib/service/ground/changes/check-seen.ts';
import { retryOnConflict } from '#lib/service/ground/table/retry-on-conflict.ts';
import { claimsIn } from '#lib/service/earnings/payouts/payout-claims-items.ts';

export interface PayoutItemToPartner extends PayoutItem {
  readonly partner?: Partner;
}

/** A payout with the number of its lines in each status, and its first lines with their partners. */
export interface PayoutToPartners {
  readonly payout: Payout;
  readonly counts?: StoredCounts;
  /** The first lines. Empty if the payout has more lines than are shown. */
  readonly items: readonly PayoutItemToPartner[];
}

/** A payout with all its lines, each with its partner and commission ids. */
export interface PayoutOfCommissions extends PayoutToPartners {
  readonly items: readonly (PayoutItemToPartner & Pick<PayoutClaims, 'commissionIds'>)[];
}

/**
 * Finds a payout of the program.
 * @param payoutId undefined if the sent value cannot be an id
 * @throws Refusal if the program has no such payout
 */
export async function payoutOf(
  { table }: Pick<Deps, 'table'>,
  programId: number,
  payoutId: number | undefined,
): Promise<Payout> {
  const payout = payoutId === undefined ? undefined : await findPayout(table, payoutId);
  if (payout?.programId !== programId) throw payoutNotFound();
  return payout;
}

/** Payouts of a program, newest first. */
export async function listPayouts(
  deps: Deps,
  programId: number,
  request: PageRequest,
): Promise<Page<PayoutToPartners>> {
  const { items, next } = await payoutsOf(deps.table, programId, request);
  return { items: await Promise.all(items.map((payout) => toPartners(deps, payout))), next };
}

/**
 * Stores the owner's reference of the payment, such as the bank's transaction number.
 * @param seen the payout's values as the caller saw them
 * @throws Refusal if there is no such payout, or if it has changed since the caller saw it
 */
export const referToPayout = (
  deps: Deps,
  { id, programId }: Pick<Payout, 'id' | 'programId'>,
  reference: string,
  seen?: Comparison<Payout>,
): Promise<Payout> =>
  retryOnConflict(deps, async () => {
    const { table } = deps;
    const [program, payout] = await Promise.all([findProgram(table, programId), payoutOf(deps, programId, id)]);
    if (!program) throw programNotFound();
    const target = { type: 'payout', id, programId } as const;
    await checkSeen(deps, target, seen, payout);
    await table.transact([
      ...referredPayoutWrites(payout, reference),
      ...auditWrites(deps, program.workspaceId, {
        action: 'payout.changed',
        target,
        changes: changesBetween(payout, { reference }),
      }),
    ]);
    return { ...payout, reference };
  });

/** Adds to payouts the partners with their current names and addresses, and the number of lines in each status. */
export async function toPartners({ table }: Pick<Deps, 'table'>, payout: Payout): Promise<PayoutToPartners> {
  const isShown = countIn(sumsOf(payout), 'lines') <= MOST_SHOWN_LINES;
  const [counts, items] = await Promise.all([findLineCounts(table, payout.id), isShown ? itemsOf(table, payout) : []]);
  return { payout, counts, items: await withPartners({ table }, payout, items) };
}

export const withPartners = <Item extends Pick<PayoutItem, 'partnerId'>>(
  { table }: Pick<Deps, 'table'>,
  { programId }: Pick<Payout, 'programId'>,
  items: readonly Item[],
): Promise<(Item & { readonly partner?: Partner })[]> =>
  Promise.all(items.map(async (item) => ({ ...item, partner: await findPartner(table, programId, item.partnerId) })));

/** Adds to a payout the partners with their current names and addresses, and the commissions of each line. */
export async function withCommissions(deps: Deps, payout: Payout): Promise<PayoutOfCommissions> {
  const { items, counts } = await toPartners(deps, payout);
  const claims = items.length === 0 ? [] : joinedClaims(await claimsIn(deps.table, payout.id));
  const ids = new Map(claims.map((claim) => [groupOf(claim), claim.commissionIds]));
  return { payout, counts, items: items.map((item) => ({ ...item, commissionIds: ids.get(groupOf(item)) ?? [] })) };
}
