import { owedBy } from '#lib/domain/owed.ts';
import { claimsByItem, claimsOf, totalsOf, withClaims } from '#lib/domain/payout.ts';
import type { Actor } from '#lib/domain/commission.ts';
import type { Deps } from '#lib/service/deps.ts';
import { planOf } from '#lib/service/use-cases/pay-out.ts';

/** What the partners of a program are owed, by currency. It reads the same items as a payout. */
export async function tellOwed(deps: Deps, programId: number, actor: Actor): Promise<ReturnType<typeof owedBy>> {
  const { program, payout, commissions } = await planOf(deps, programId, {}, actor);
  const unsettled = [...commissions.values()];
  const dueNow = totalsOf(withClaims(payout, claimsByItem(claimsOf(unsettled, payout)), 'open'));
  return owedBy(program, unsettled, dueNow, deps.now);
}
