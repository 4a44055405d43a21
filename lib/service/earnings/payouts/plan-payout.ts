import type { Actor } from '#lib/service/ground/changes/audit.ts';
import {
  type CarriedOver,
  carriedOver,
  claimsByItem,
  claimsOf,
  groupOf,
  joinedClaims,
  minimumOf,
  type Payout,
  type PayoutClaims,
  type PayoutItem,
  type PayoutRequest,
  withClaims,
} from '#lib/service/earnings/payouts/payout.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import { programNotFound } from '#lib/service/ground/values/refusals.ts';
import {
  isAdjustment,
  unsettledAt,
  type UnsettledCommission,
} from '#lib/service/earnings/commissions/unsettled-commission.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findOpenPayout } from '#lib/service/earnings/payouts/payouts-items.ts';
import { findProgram } from '#lib/service/programs/program/programs-items.ts';
import { unsettledCommissionsOf } from '#lib/service/earnings/commissions/unsettled-commissions-items.ts';
import { heldPartnersOf } from '#lib/service/earnings/payouts/held-partners.ts';
import { claimsIn } from '#lib/service/earnings/payouts/payout-claims-items.ts';

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

export interface Forecast extends Plan {
  /** The unsettled commissions with their current status. */
  readonly unsettled: readonly UnsettledCommission[];
  /** The commissions that the payout has yet to claim. */
  readonly claims: readonly PayoutClaims[];
}

/**
 * Computes a payout made now. It reads the index, which may lack very recent writes.
 * @param listing the commissions to include, if not all unsettled ones of the program
 */
export async function payoutForecast(
  deps: Deps,
  programId: number,
  request: PayoutRequest,
  actor: Actor,
  listing = unsettledCommissionsOf(deps.table, programId),
): Promise<Forecast> {
  const [plan, listed] = await Promise.all([planOf(deps, programId, request, actor), listing]);
  const unsettled = listed.map((commission) => unsettledAt(commission, plan.program, deps.now));
  const claims = claimsOf(withoutHeld(unsettled, plan), plan.payout, minimumOf(plan.program));
  return { ...plan, unsettled, claims: claimsByItem(claims) };
}

/** A payout with the commissions of each partner and currency. */
export interface PayoutWithClaims {
  readonly payout: Payout;
  readonly claims: readonly PayoutClaims[];
}

/** The preview of a payout, with the amounts it would leave to later payouts. */
export interface PayoutForecast extends PayoutWithClaims {
  readonly carriedOver?: CarriedOver;
  /** Items of partners whose payouts are held, which the payout leaves out. */
  readonly heldItems: readonly PayoutItem[];
  /** Number of flagged commissions among the paid and held ones, by partner and currency (`groupOf`). */
  readonly flagged: ReadonlyMap<string, number>;
}

/** Previews the payout that would be made now, using the index. Nothing is written. */
export async function previewPayout(
  deps: Deps,
  programId: number,
  request: PayoutRequest,
  actor: Actor,
): Promise<PayoutForecast> {
  const { program, payout, isBegun, held, unsettled, claims } = await payoutForecast(deps, programId, request, actor);
  const claimed = isBegun ? await claimsIn(deps.table, payout.id) : [];
  const minimum = minimumOf(program);
  const nothing = { ...payout, items: [] };
  const ofHeld = unsettled.filter(({ partnerId }) => held.has(partnerId));
  const heldBack = claimsByItem(claimsOf(ofHeld, nothing, minimum));
  return {
    payout: withClaims(payout, claims, 'open'),
    claims: joinedClaims([...claimed, ...claims]),
    carriedOver: carriedOver(withoutHeld(unsettled, { held }), payout, minimum),
    heldItems: withClaims(nothing, heldBack, 'open').items,
    flagged: flaggedIn(unsettled, [...claims, ...heldBack]),
  };
}

/** Counts flagged commissions per item. Adjustments of commissions that were paid before are not counted. */
function flaggedIn(unsettled: readonly UnsettledCommission[], claims: readonly PayoutClaims[]): Map<string, number> {
  const ids = new Set(unsettled.filter((one) => one.isFlagged && !isAdjustment(one)).map(({ id }) => id));
  return new Map(claims.map((claim) => [groupOf(claim), claim.commissionIds.filter((id) => ids.has(id)).length]));
}
