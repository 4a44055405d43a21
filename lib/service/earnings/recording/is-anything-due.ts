import {
  eachOnce,
  type ListedCommission,
  unsettledCommissionsOfPartner,
  unsettledInParts,
} from '#lib/service/earnings/commissions/unsettled-commissions-items.ts';
import { type Plan, plannedBy } from '#lib/service/earnings/recording/plan-payout.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';

/**
 * Maximum number of partners that are checked in each part of the list. Nearly all partners in the list are due a
 * payment, so a few are enough.
 */
const MOST_LOOKED_AT = 5;

/**
 * Whether a payout made now would pay anything. Usually the first part of the program's list of unsettled commissions
 * shows a partner who seems to be due a payment. Then only this partner's other commissions are read, because they may
 * contain deductions. If no such partner is found, the whole list is read.
 * @param size number of commissions in a part; by default as many as two queries return
 */
export async function isAnythingDue(deps: Deps, plan: Plan, size?: number): Promise<boolean> {
  const { table } = deps;
  const found: ListedCommission[] = [];
  const isLookedAt = new Set<number>();
  for await (const part of unsettledInParts(table, plan.program.id, size)) {
    found.push(...part);
    const { lines } = await plannedBy(deps, plan, Promise.resolve(part));
    const partners = new Set(lines.map(({ partnerId }) => partnerId)).difference(isLookedAt);
    for (const partnerId of [...partners].slice(0, MOST_LOOKED_AT)) {
      isLookedAt.add(partnerId);
      const own = unsettledCommissionsOfPartner(table, plan.program.id, partnerId);
      if ((await plannedBy(deps, plan, own)).lines.length > 0) return true;
    }
  }
  return (await plannedBy(deps, plan, Promise.resolve(eachOnce(found)))).lines.length > 0;
}
