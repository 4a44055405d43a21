import type { Actor } from '#lib/service/ground/changes/audit.ts';
import { owedBy } from '#lib/service/earnings/payouts/owed.ts';
import { type Payout, withClaims } from '#lib/service/earnings/payouts/payout.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { payoutForecast } from '#lib/service/earnings/payouts/plan-payout.ts';

/**
 * Amounts owed to the partners of a program, or to one of them, by currency. Even for one partner it reads the
 * program's whole list.
 */
export async function owedByPartner(
  deps: Deps,
  programId: number,
  actor: Actor,
  partnerId?: number,
): Promise<ReturnType<typeof owedBy>> {
  const { program, payout, unsettled, claims, held } = await payoutForecast(deps, programId, { partnerId }, actor);
  // An open payout, which would be completed first, may contain other partners.
  const isWanted = (one: { readonly partnerId: number }) => partnerId === undefined || one.partnerId === partnerId;
  const wanted = ({ items }: Payout) => ({ items: items.filter(isWanted) });
  const payouts = { before: wanted(payout), after: wanted(withClaims(payout, claims, 'open')) };
  return owedBy(program, unsettled.filter(isWanted), payouts, deps.now, held);
}
