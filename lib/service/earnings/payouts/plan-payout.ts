import type { Actor } from '#lib/service/ground/changes/audit.ts';
import {
  claimsByItem,
  claimsOf,
  minimumOf,
  type Payout,
  type PayoutClaims,
  type PayoutRequest,
} from '#lib/service/earnings/payouts/payout.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import { programNotFound } from '#lib/service/ground/values/refusals.ts';
import { type UnsettledCommission, unsettledAt } from '#lib/service/earnings/commissions/unsettled-commission.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findOpenPayout } from '#lib/service/earnings/payouts/payouts-items.ts';
import { findProgram } from '#lib/service/programs/program/programs-items.ts';
import { unsettledCommissionsOf } from '#lib/service/earnings/commissions/unsettled-commissions-items.ts';
import { heldPartnersOf } from '#lib/service/earnings/payouts/held-partners.ts';

/** The id of a payout that is only previewed. */
const NO_ID = 0;

export interface Plan {
  readonly program: Program;
  /** The open payout, or a new one. */
  readonly payout: Payout;
  readonly isBegun: boolean;
  /** Partners whose payouts are held. Their commissions are left out. */
  readonly held: ReadonlySet<number>;
}

/**
 * Loads what is needed for a payout: the program, its open or a new payout, and held partners.
 * @throws Refusal if there is no such program
 */
export async function planOf(
  deps: Deps,
  programId: number,
  request: PayoutRequest,
  createdBy: Actor,
  newId: number | Promise<number> = NO_ID,
): Promise<Plan> {
  const { table, now } = deps;
  const [program, open, id] = await Promise.all([
    findProgram(table, programId),
    findOpenPayout(table, programId),
    newId,
  ]);
  if (!program) throw programNotFound();
  const held = await heldPartnersOf(deps, program);
  const createdAt = now.toISOString();
  const fresh: Payout = { ...request, id, programId, status: 'open', steps: 0, items: [], createdAt, createdBy };
  return { program, isBegun: open !== undefined, held, payout: open ?? fresh };
}

/** Commissions of partners whose payouts are not held. */
export const withoutHeld = (
  commissions: readonly UnsettledCommission[],
  { held }: Pick<Plan, 'held'>,
): UnsettledCommission[] => commissions.filter(({ partnerId }) => !held.has(partnerId));

/** Commissions of partners whose payouts are held. */
export const onlyHeld = (
  commissions: readonly UnsettledCommission[],
  { held }: Pick<Plan, 'held'>,
): UnsettledCommission[] => commissions.filter(({ partnerId }) => held.has(partnerId));

export interface Forecast extends Plan {
  /** All unsettled commissions of the program with their current status. */
  readonly unsettled: readonly UnsettledCommission[];
  /** The commissions that the payout has yet to claim. */
  readonly claims: readonly PayoutClaims[];
}

/** Computes a payout made now. Reads the index, which may lack very recent writes. */
export async function payoutForecast(
  deps: Deps,
  programId: number,
  request: PayoutRequest,
  actor: Actor,
): Promise<Forecast> {
  const [plan, listed] = await Promise.all([
    planOf(deps, programId, request, actor),
    unsettledCommissionsOf(deps.table, programId),
  ]);
  const unsettled = listed.map((commission) => unsettledAt(commission, plan.program, deps.now));
  const claims = claimsOf(withoutHeld(unsettled, plan), plan.payout, minimumOf(plan.program));
  return { ...plan, unsettled, claims: claimsByItem(claims) };
}
