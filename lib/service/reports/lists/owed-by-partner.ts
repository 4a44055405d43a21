import type { Actor } from '#lib/service/ground/changes/audit.ts';
import { owedBy } from '#lib/service/earnings/payouts/owed.ts';
import { type Payout, sumsOf, sumsOfItems, totalsOf } from '#lib/service/earnings/payouts/payout.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import {
  unsettledCommissionsOf,
  unsettledCommissionsOfPartner,
} from '#lib/service/earnings/commissions/unsettled-commissions-items.ts';
import { itemsOf } from '#lib/service/earnings/lines/payout-lines-items.ts';
import { planOf, plannedBy, plannedSums } from '#lib/service/earnings/recording/plan-payout.ts';

/** Amounts owed to the partners of a program, or to one of them, by currency. */
export async function owedByPartner(
  deps: Deps,
  programId: number,
  actor: Actor,
  partnerId?: number,
): Promise<ReturnType<typeof owedBy>> {
  const isOfOne = partnerId !== undefined;
  const listing = isOfOne
    ? unsettledCommissionsOfPartner(deps.table, programId, partnerId)
    : unsettledCommissionsOf(deps.table, programId);
  const [asked] = await Promise.all([planOf(deps, programId, { partnerId }, actor), listing]);
  // If a payout is open, it must be completed first. It may pay other partners than these, and leave some out.
  const plan = asked.payout.steps > 0 ? { ...asked, payout: withSums(asked.payout) } : asked;
  const { program, payout, held, line } = plan;
  const { unsettled, lines } = await plannedBy(deps, plan, listing);
  const recorded = isOfOne && payout.steps > 0 ? await itemsOf(deps.table, asked.payout) : undefined;
  const own = recorded?.filter((item) => item.partnerId === partnerId);
  const sums = own ? sumsOfItems(own) : sumsOf(payout);
  const totals = totalsOf(plannedSums({ ...payout, sums }, lines));
  const begun = line && (!isOfOne || line.partnerId === partnerId) ? line : undefined;
  return owedBy(program, unsettled, { begun, totals }, deps.now, held);
}

/**
 * The payout with its present sums. An open payout of version 1 (one with `items`) would record no further commissions.
 * Without `items`, the commissions that it left out count as due, too.
 */
const withSums = (payout: Payout): Payout => ({ ...payout, sums: sumsOf(payout), items: undefined });
