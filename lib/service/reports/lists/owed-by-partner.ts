import type { Actor } from '#lib/service/ground/changes/audit.ts';
import { owedBy } from '#lib/service/earnings/payouts/owed.ts';
import { type Payout, withClaims } from '#lib/service/earnings/payouts/payout.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { unsettledCommissionsOfPartner } from '#lib/service/earnings/commissions/unsettled-commissions-items.ts';
import { payoutForecast } from '#lib/service/earnings/payouts/plan-payout.ts';

/** Amounts owed to the partners of a program, or to one of them, by currency. */
export async function owedByPartner(
  deps: Deps,
  programId: number,
  actor: Actor,
  partnerId?: number,
): Promise<ReturnType<typeof owedBy>> {
  const listing = partnerId === undefined ? undefined : unsettledCommissionsOfPartner(deps.table, programId, partnerId);
  const forecast = await payoutForecast(deps, programId, { partnerId }, actor, listing);
  const { program, payout, unsettled, claims, held } = forecast;
  // An open payout is completed first, but it may also contain other partners, who are left out here.
  const isWanted = (one: { readonly partnerId: number }) => partnerId === undefined || one.partnerId === partnerId;
  const wanted = ({ items }: Payout) => ({ items: items.filter(isWanted) });
  const payouts = { before: wanted(payout), after: wanted(withClaims(payout, claims, 'open')) };
  return owedBy(program, unsettled, payouts, deps.now, held);
}
