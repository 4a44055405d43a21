import { setTimeout as pause } from 'node:timers/promises';
import type { Actor, Commission } from '#lib/domain/commission.ts';
import { asReadAt, paidOut } from '#lib/domain/commission-lifecycle.ts';
import {
  claimsByItem,
  claimsOf,
  joinedClaims,
  type Payout,
  type PayoutClaims,
  type PayoutRequest,
  withClaims,
} from '#lib/domain/payout.ts';
import type { Program } from '#lib/domain/program.ts';
import { nothingToPayOut, payoutUnderWay, programNotFound } from '#lib/domain/refusals.ts';
import type { Deps } from '#lib/service/deps.ts';
import { allCommissionsOf } from '#lib/service/store/commissions.ts';
import {
  adoptedPayoutWrites,
  claimsIn,
  commissionWriteName,
  findOpenPayout,
  findPayout,
  MOST_COMMISSIONS_A_STEP,
  type OpenPayout,
  payoutStepWrites,
} from '#lib/service/store/payouts.ts';
import { findProgram } from '#lib/service/store/programs.ts';
import { ConditionFailed } from '#lib/service/store/writes.ts';

/** A payout with the commissions of each partner and currency. */
export interface PayoutWithClaims {
  readonly payout: Payout;
  readonly claims: readonly PayoutClaims[];
}

const MOST_ATTEMPTS = 12;

/**
 * Pays out what is due to the partners of a program: every partner whose due amounts in a currency sum to more than 0
 * gets one item. Commissions are claimed in steps that each commit with the payout they are in. If a payout of the
 * program is open, interrupted or in progress, that one is finished and returned instead. Each commission is in one
 * payout.
 * @throws Refusal when nothing is due
 */
export async function payOut(
  deps: Deps,
  programId: number,
  request: PayoutRequest,
  actor: Actor,
): Promise<PayoutWithClaims> {
  for (let attempt = 1; ; attempt++) {
    const plan = await planOf(deps, programId, request, actor);
    try {
      return await withItsClaims(deps, await carriedOut(deps, plan, actor));
    } catch (error) {
      if (!(error instanceof ConditionFailed) || attempt === MOST_ATTEMPTS) throw error;
    }
    const made = await madeByAnother(deps, plan.payout.id);
    if (made) return withItsClaims(deps, made);
  }
}

/** The payout that would be made now. Nothing is written. */
export async function previewPayout(
  deps: Deps,
  programId: number,
  request: PayoutRequest,
  actor: Actor,
): Promise<PayoutWithClaims> {
  const { payout, open, commissions } = await planOf(deps, programId, request, actor);
  const claims = claimsByItem(claimsOf([...commissions.values()], payout));
  const held = open ? (open.older?.items ?? (await claimsIn(deps.table, payout.id))) : [];
  return { payout: withClaims(payout, claims, 'open'), claims: joinedClaims([...held, ...claims]) };
}

interface Plan {
  readonly program: Program;
  /** The open one, or a new one. */
  readonly payout: Payout;
  readonly open?: OpenPayout;
  /** Every unsettled commission of the program as it reads, by its id. */
  readonly commissions: Map<number, Commission>;
}

/**
 * Reads every unsettled commission, each for one read unit or more: 20,000 of them cost some 0.003 USD and seconds. All
 * must be read, because a partner's due amount is the sum over all of them.
 */
export async function planOf(
  { table, now, ids }: Deps,
  programId: number,
  request: PayoutRequest,
  createdBy: Actor,
): Promise<Plan> {
  const [program, open, unsettled, id] = await Promise.all([
    findProgram(table, programId),
    findOpenPayout(table, programId),
    allCommissionsOf(table, programId, 'unsettled'),
    ids.take(table),
  ]);
  if (!program) throw programNotFound();
  const createdAt = now.toISOString();
  const fresh: Payout = { ...request, id, programId, status: 'open', steps: 0, items: [], createdAt, createdBy };
  const commissions = new Map(unsettled.map((commission) => [commission.id, asReadAt(commission, program, now)]));
  return { program, open, payout: open?.payout ?? fresh, commissions };
}

/**
 * Takes one step after the other until nothing is left to be claimed. A commission that changed since it was read is
 * decided on again, as it is now.
 * @throws ConditionFailed when another request has taken a step of this payout, or has begun another payout
 */
async function carriedOut({ table, now }: Deps, plan: Plan, actor: Actor): Promise<Payout> {
  const { program, open, commissions } = plan;
  let { payout } = plan;
  if (open?.older) await table.transact(adoptedPayoutWrites(payout, open.older));
  let claims = claimsOf([...commissions.values()], payout);
  let lost = 0;
  while (payout.status === 'open') {
    if (claims.length === 0 && payout.steps === 0) throw nothingToPayOut();
    const step = claims.slice(0, MOST_COMMISSIONS_A_STEP);
    const stepClaims = claimsByItem(step);
    const after = withClaims(payout, stepClaims, step.length === claims.length ? 'made' : 'open');
    const { id } = payout;
    const paid = step.map((before) => ({ before, after: paidOut(before, id, { actor, at: now }) }));
    try {
      await table.transact(payoutStepWrites(payout, after, stepClaims, paid));
      for (const one of paid) commissions.set(one.after.id, one.after);
      payout = after;
      claims = claims.slice(step.length);
      lost = 0;
    } catch (error) {
      lost += 1;
      if (!(error instanceof ConditionFailed) || lost === MOST_ATTEMPTS) throw error;
      const changed = step.filter(({ id: one }) => error.existing.has(commissionWriteName(one)));
      // The payout itself was changed by another request.
      if (changed.length < error.existing.size) throw error;
      for (const { id: one } of changed) {
        const existing = error.existing.get(commissionWriteName(one)) as Commission | undefined;
        if (existing) commissions.set(one, asReadAt(existing, program, now));
        else commissions.delete(one);
      }
      claims = claimsOf([...commissions.values()], payout);
    }
  }
  return payout;
}

const POLL_MS = 250;
/** A step takes a fraction of this time, so a longer pause means that the other process was interrupted. */
const MOST_IDLE_POLLS = 8;
/** The function has to answer before its own time is over. */
const MOST_POLLS = 40;

/**
 * Waits for another request to finish this payout, as long as it makes progress.
 * @returns undefined when it makes none, or when there is no such payout (any more)
 * @throws Refusal that names the payout, when it takes too long
 */
async function madeByAnother({ table }: Deps, payoutId: number): Promise<Payout | undefined> {
  let steps = 0;
  let idle = 0;
  for (let poll = 1; poll <= MOST_POLLS; poll++) {
    table.forget();
    const payout = await findPayout(table, payoutId);
    if (payout?.status === 'made') return payout;
    idle = payout && payout.steps > steps ? 0 : idle + 1;
    if (!payout || idle > MOST_IDLE_POLLS) return undefined;
    ({ steps } = payout);
    await pause(POLL_MS);
  }
  throw payoutUnderWay(payoutId);
}

/** A payout with the commissions that its steps have claimed. */
export const withItsClaims = async ({ table }: Deps, payout: Payout): Promise<PayoutWithClaims> => ({
  payout,
  claims: joinedClaims(await claimsIn(table, payout.id)),
});
