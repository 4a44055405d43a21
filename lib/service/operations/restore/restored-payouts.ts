import type { Commission } from '#lib/service/earnings/commissions/commission.ts';
import { paymentsOf } from '#lib/service/earnings/commissions/commission-lifecycle.ts';
import { type Return, returnsOf } from '#lib/service/earnings/commissions/returned-commission.ts';
import { groupOf, type Payout } from '#lib/service/earnings/payouts/payout.ts';
import { claimingPayoutsOf, claimsIn } from '#lib/service/earnings/payouts/payout-claims-items.ts';
import { everyPayout } from '#lib/service/earnings/payouts/payouts-items.ts';
import { everyCommission } from '#lib/service/operations/restore/restored-items.ts';
import type { RestoredProgram } from '#lib/service/operations/restore/restored-program.ts';
import { allPartnersOf } from '#lib/service/programs/partners/partners-items.ts';

/** A payout that at least one item in the table names. */
export interface FoundPayout extends Pick<Payout, 'id' | 'createdAt'> {
  /**
   * For each commission about which claims and history disagree: the number of this payout's claims that contain it,
   * less the number of this payout's payments in its history.
   */
  readonly differences: Map<number, number>;
  /** How much this payout has paid by partner and currency (`groupOf`), according to the commissions' histories. */
  readonly paidCents: Map<string, number>;
  /**
   * The payout's lines that failed or became void according to the histories of commissions, by partner and currency
   * (`groupOf`).
   */
  readonly returned: Map<string, Return>;
}

/**
 * All payouts of a program, oldest first, compared with all commissions, which are read once. For each payout, memory
 * holds only the commissions that do not agree with the payout's claims so far.
 */
export async function payoutsFound(restored: RestoredProgram): Promise<FoundPayout[]> {
  const { table } = restored.deps;
  const found = new Map<number, Promise<FoundPayout>>();
  const find = (payout: Pick<Payout, 'id' | 'createdAt'>): Promise<FoundPayout> => {
    const one = found.get(payout.id) ?? withClaimsOf(restored, payout);
    found.set(payout.id, one);
    return one;
  };
  const named = await payoutsNamed(restored);
  for await (const commission of everyCommission(table, restored.program.id)) {
    for (const { payoutId, amountCents, at } of paymentsOf(commission)) {
      const createdAt = named.get(payoutId) ?? at;
      notePayment(await find({ id: payoutId, createdAt }), commission, amountCents);
    }
    for (const one of returnsOf(commission)) {
      const payout = await find({ id: one.payoutId, createdAt: named.get(one.payoutId) ?? one.at });
      payout.returned.set(groupOf(commission), one);
    }
    checkFirstPayout(restored, commission);
  }
  for (const [id, createdAt] of named) await find({ id, createdAt });
  const all = await Promise.all(found.values());
  return all.toSorted((a, b) => (a.createdAt === b.createdAt ? a.id - b.id : a.createdAt < b.createdAt ? -1 : 1));
}

/**
 * Returns when each payout was created, as far as the table still contains its list entry or one of its claims (records
 * of which commissions it pays). If a restore has lost both, only commissions name the payout.
 */
async function payoutsNamed({ deps: { table }, program }: RestoredProgram): Promise<ReadonlyMap<number, string>> {
  const named = new Map<number, string>();
  for await (const { id, createdAt } of everyPayout(table, program.id)) named.set(id, createdAt);
  for (const partner of await allPartnersOf(table, program.id)) {
    for await (const { id, createdAt } of claimingPayoutsOf(table, program.id, partner.id)) named.set(id, createdAt);
  }
  table.forget();
  return named;
}

async function withClaimsOf(
  { deps: { table } }: RestoredProgram,
  { id, createdAt }: Pick<Payout, 'id' | 'createdAt'>,
): Promise<FoundPayout> {
  const differences = new Map<number, number>();
  for (const { commissionIds } of await claimsIn(table, id)) {
    for (const commissionId of commissionIds) add(differences, commissionId, 1);
  }
  return { id, createdAt, differences, paidCents: new Map(), returned: new Map() };
}

export function notePayment(
  { differences, paidCents }: FoundPayout,
  commission: Commission,
  amountCents: number,
): void {
  add(differences, commission.id, -1);
  if (differences.get(commission.id) === 0) differences.delete(commission.id);
  add(paidCents, groupOf(commission), amountCents);
}

export const add = <Name>(sums: Map<Name, number>, name: Name, more: number): Map<Name, number> =>
  sums.set(name, (sums.get(name) ?? 0) + more);

/**
 * Reports a commission whose `payoutId` names a payout but whose history contains no payment by that payout. A
 * transaction of which the restore lost a part cannot explain this, so a person must find out what the payout has paid.
 */
function checkFirstPayout({ unrepaired }: RestoredProgram, commission: Commission): void {
  const { id, payoutId } = commission;
  if (payoutId === undefined || paymentsOf(commission).some((payment) => payment.payoutId === payoutId)) return;
  unrepaired.push(`commission ${id}: paid by payout ${payoutId}, which does not hold it`);
}
