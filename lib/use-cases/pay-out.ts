import type { Actor } from '#lib/domain/commission.ts';
import { asReadAt, paidOut } from '#lib/domain/commission-lifecycle.ts';
import type { Partner } from '#lib/domain/partner.ts';
import { claimsOf, type Payout, type PayoutItem, type PayoutRequest, withClaims } from '#lib/domain/payout.ts';
import { nothingToPayOut, programNotFound } from '#lib/domain/refusals.ts';
import type { Deps } from '#lib/deps.ts';
import { allCommissionsOf } from '#lib/store/commissions.ts';
import { findPartner } from '#lib/store/partners.ts';
import { findOpenPayout, MOST_COMMISSIONS_A_STEP, payoutStepWrites } from '#lib/store/payouts.ts';
import { findProgram } from '#lib/store/programs.ts';
import { settleRaces } from '#lib/use-cases/settle-races.ts';

/** Keeps a payout's item well below the 400 KB that the table takes; what is left waits for the next payout. */
const MOST_COMMISSIONS = 20_000;

/**
 * Pays out what is due to the partners of a program (contract 13): everybody whose dues in a currency sum to more than
 * 0 gets one item. Commissions are claimed in steps that each commit with the payout they are in. A payout that was
 * interrupted between two steps is taken up and ended by the next request for the same; of requests that race, each
 * payout is the answer to exactly one, and each commission is in one payout.
 * @throws Refusal when nobody is due anything
 */
export const payOut = (deps: Deps, programId: number, request: PayoutRequest, actor: Actor): Promise<Payout> =>
  settleRaces(deps, () => decidePayout(deps, programId, request, actor));

async function decidePayout(deps: Deps, programId: number, request: PayoutRequest, actor: Actor): Promise<Payout> {
  const { table, now } = deps;
  const [program, begun, unsettled, id] = await Promise.all([
    findProgram(table, programId),
    findOpenPayout(table, programId, request),
    allCommissionsOf(table, programId, 'unsettled'),
    deps.ids.take(table),
  ]);
  if (!program) throw programNotFound();
  let payout: Payout = begun ?? { ...request, id, programId, items: [], createdAt: now.toISOString() };
  const mostClaims = MOST_COMMISSIONS - payout.items.reduce((count, item) => count + item.commissionIds.length, 0);
  const claims = claimsOf(
    unsettled.map((commission) => asReadAt(commission, program, now)),
    payout,
  ).slice(0, mostClaims);
  if (claims.length === 0 && !begun) throw nothingToPayOut();

  let before = begun;
  for (let first = 0, isLast = false; !isLast; first += MOST_COMMISSIONS_A_STEP) {
    const step = claims.slice(first, first + MOST_COMMISSIONS_A_STEP);
    isLast = first + step.length === claims.length;
    payout = withClaims(payout, step);
    const paid = step.map((commission) => ({
      before: commission,
      after: paidOut(commission, payout.id, { actor, at: now }),
    }));
    await table.transact(payoutStepWrites(before, payout, paid, isLast));
    before = { ...payout, steps: (before?.steps ?? 0) + 1 };
  }
  return payout;
}

/** A payout whose items name their partner. */
export type PayoutToPartners = Omit<Payout, 'items'> & {
  readonly items: readonly (PayoutItem & { readonly partner: Partner | undefined })[];
};

export const withPartners = async ({ table }: Deps, payout: Payout): Promise<PayoutToPartners> => ({
  ...payout,
  items: await Promise.all(
    payout.items.map(async (item) => ({
      ...item,
      partner: await findPartner(table, payout.programId, item.partnerId),
    })),
  ),
});
