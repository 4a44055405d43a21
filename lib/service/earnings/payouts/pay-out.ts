import { setTimeout as pause } from 'node:timers/promises';
import { type Actor, changesBetween } from '#lib/service/ground/changes/audit.ts';
import type { Commission } from '#lib/service/earnings/commissions/commission.ts';
import { asReadAt, paidOut } from '#lib/service/earnings/commissions/commission-lifecycle.ts';
import {
  areSameTotals,
  claimsByItem,
  claimsOf,
  minimumOf,
  type Payout,
  type PayoutRequest,
  type PayoutTotals,
  stepOf,
  totalsOf,
  withClaims,
} from '#lib/service/earnings/payouts/payout.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import {
  dueHasChanged,
  nothingToPayOut,
  payoutsFrozen,
  payoutUnderWay,
  sandboxPaysNothing,
} from '#lib/service/ground/values/refusals.ts';
import { type UnsettledCommission, unsettledPart } from '#lib/service/earnings/commissions/unsettled-commission.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { allCommissionsOf } from '#lib/service/earnings/commissions/commissions-items.ts';
import { mailWrites } from '#lib/service/people/mail/mails-items.ts';
import {
  commissionWriteName,
  findPayout,
  MOST_CLAIMED_A_STEP,
  payoutStepWrites,
} from '#lib/service/earnings/payouts/payouts-items.ts';
import { ConditionFailed, type Write } from '#lib/service/ground/table/writes.ts';
import { PAYOUTS_FLOW, payoutsFlowCheck } from '#lib/service/people/workspaces/workspaces-items.ts';
import { auditWrites } from '#lib/service/people/workspaces/audit-writes.ts';
import { checkNotFrozen } from '#lib/service/earnings/payouts/freeze-payouts.ts';
import { type Plan, planOf, withoutHeld, type PayoutWithClaims } from '#lib/service/earnings/payouts/plan-payout.ts';
import { withItsClaims } from '#lib/service/earnings/payouts/read-payouts.ts';

const MOST_ATTEMPTS = 12;

/**
 * Pays out what a program owes to its partners. Each partner gets one item per currency in which its due amounts sum to
 * more than 0 and, in the program's currency, reach the minimum. Commissions are claimed in steps; each step commits
 * together with the payout. If the program has an open payout, interrupted or in progress, that one is finished and
 * returned instead. Each commission is in one payout only.
 * @param expected expected totals of a new payout: it is not started if others are due
 * @throws Refusal if nothing is due, other totals are due, or the workspace's payouts are frozen
 */
export async function payOut(
  deps: Deps,
  programId: number,
  request: PayoutRequest,
  actor: Actor,
  expected?: PayoutTotals,
): Promise<PayoutWithClaims> {
  for (let attempt = 1; ; attempt++) {
    const plan = await planWithCommissions(deps, programId, request, actor);
    if (plan.program.isSandbox) throw sandboxPaysNothing();
    await checkNotFrozen(deps, plan.program.workspaceId);
    try {
      return await withItsClaims(deps, await carriedOut(deps, plan, actor, expected));
    } catch (error) {
      if (!(error instanceof ConditionFailed) || attempt === MOST_ATTEMPTS) throw error;
    }
    const made = await madeByAnother(deps, plan.payout.id);
    if (made) return withItsClaims(deps, made);
  }
}

interface PlanWithCommissions extends Plan {
  /** All unsettled commissions of the program with their current status, by id. */
  readonly commissions: Map<number, Commission>;
}

/**
 * Reads all unsettled commissions, because a partner's due amount is the sum over them. 20,000 of them take seconds and
 * cost about 0.003 USD.
 */
async function planWithCommissions(
  deps: Deps,
  programId: number,
  request: PayoutRequest,
  actor: Actor,
): Promise<PlanWithCommissions> {
  const [plan, unsettled] = await Promise.all([
    planOf(deps, programId, request, actor, deps.ids.take(deps.table)),
    allCommissionsOf(deps.table, programId, 'unsettled'),
  ]);
  const asRead = unsettled.map((commission) => asReadAt(commission, plan.program, deps.now));
  return { ...plan, commissions: new Map(asRead.map((commission) => [commission.id, commission])) };
}

const claimsAmong = ({ commissions, program, held }: PlanWithCommissions, payout: Payout): UnsettledCommission[] =>
  claimsOf(
    withoutHeld(
      [...commissions.values()].map(unsettledPart).filter((part) => part !== undefined),
      { held },
    ),
    payout,
    minimumOf(program),
  );

/**
 * Repeats steps until nothing is left to claim. Commissions that changed since they were read are evaluated again.
 * @throws Refusal if payouts are frozen in the meantime: claimed commissions stay in the open payout
 * @throws ConditionFailed if another request has taken a step of this payout, or has started another payout
 */
async function carriedOut(
  deps: Deps,
  plan: PlanWithCommissions,
  actor: Actor,
  expected: PayoutTotals | undefined,
): Promise<Payout> {
  const { table, now } = deps;
  const { program, commissions } = plan;
  let { payout } = plan;
  let claims = claimsAmong(plan, payout);
  let audit: Write[] = [];
  let lost = 0;
  while (payout.status === 'open') {
    if (payout.steps === 0) {
      if (claims.length === 0) throw nothingToPayOut();
      const due = totalsOf(withClaims(payout, claimsByItem(claims), 'open'));
      if (expected && !areSameTotals(due, expected)) throw dueHasChanged();
      audit = auditWrites(deps, program.workspaceId, {
        action: 'payout.begun',
        target: { type: 'payout', id: payout.id, programId: program.id },
        changes: changesBetween({}, { partnerId: payout.partnerId, through: payout.through, totals: due }),
      });
    }
    const step = stepOf(claims, MOST_CLAIMED_A_STEP);
    const stepClaims = claimsByItem(step);
    const after = withClaims(payout, stepClaims, step.length === claims.length ? 'made' : 'open');
    const { id } = payout;
    const paid = step.map((claim) => {
      const before = commissions.get(claim.id)!;
      return { before, after: paidOut(before, id, { actor, at: now }) };
    });
    try {
      await table.transact([
        ...payoutStepWrites(payout, after, stepClaims, paid),
        payoutsFlowCheck(program.workspaceId),
        ...audit,
        ...(after.status === 'made' ? payoutMailWrites(program, after, now) : []),
      ]);
      audit = [];
      for (const one of paid) commissions.set(one.after.id, one.after);
      payout = after;
      claims = claims.slice(step.length);
      lost = 0;
    } catch (error) {
      lost += 1;
      if (!(error instanceof ConditionFailed) || lost === MOST_ATTEMPTS) throw error;
      if (error.existing.has(PAYOUTS_FLOW)) throw payoutsFrozen();
      const changed = step.filter(({ id: one }) => error.existing.has(commissionWriteName(one)));
      // The failed condition is that of the payout: another request has changed it.
      if (changed.length < error.existing.size) throw error;
      for (const { id: one } of changed) {
        const existing = error.existing.get(commissionWriteName(one)) as Commission | undefined;
        if (existing) commissions.set(one, asReadAt(existing, program, now));
        else commissions.delete(one);
      }
      claims = claimsAmong(plan, payout);
    }
  }
  return payout;
}

/** Each partner gets an e-mail with the amounts that the payout pays to it. */
const payoutMailWrites = ({ name: programName }: Program, { id: payoutId, programId }: Payout, now: Date): Write[] =>
  mailWrites({
    kind: 'payout_made',
    fact: String(payoutId),
    to: { paidIn: payoutId },
    data: { programId, programName, payoutId },
    now,
  });

const POLL_MS = 250;
/**
 * Polls without progress before giving up. A step takes a fraction of this time, so a longer pause means that the other
 * process was interrupted.
 */
const MOST_IDLE_POLLS = 8;
/** Maximum number of polls, which must end before the Lambda function times out. */
const MOST_POLLS = 40;

/**
 * Waits while another request makes progress on this payout.
 * @returns the finished payout, or undefined if there is no progress or no such payout
 * @throws Refusal with the payout's id if it takes too long
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
