import type { Actor } from '#lib/service/ground/changes/audit.ts';
import { owedBy } from '#lib/service/earnings/payouts/owed.ts';
import { type Payout, withClaims } from '#lib/service/earnings/payouts/payout.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { payoutForecast } from '#lib/service/earnings/payouts/plan-payout.ts';

/**
 * What the partners of a program are owed, or one of them, by currency. Also for one partner it goes through the whole
 * program's list, because no list leads from a partner to its own.
 */
export async function owedByPartner(
  deps: Deps,
  programId: number,
  actor: Actor,
  partnerId?: number,
): Promise<ReturnType<typeof owedBy>> {
  const { program, payout, unsettled, claims, held } = await payoutForecast(deps, programId, { partnerId }, actor);
  // An open payout, which would be finished first, may hold other partners.
  const isWanted = (one: { readonly partnerId: number }) => partnerId === undefined || one.partnerId === partnerId;
  const wanted = ({ items }: Payout) => ({ items: items.filter(isWanted) });
  const payouts = { before: wanted(payout), after: wanted(withClaims(payout, claims, 'open')) };
  return owedBy(program, unsettled.filter(isWanted), payouts, deps.now, held);
}
