import { setTimeout as pause } from 'node:timers/promises';
import { type Actor, changesBetween } from '#lib/service/ground/changes/audit.ts';
import { paidOut } from '#lib/service/earnings/commissions/commission-lifecycle.ts';
import {
  areSameTotals,
  countIn,
  groupOf,
  joinedClaims,
  type Payout,
  type PayoutClaims,
  type PayoutTotals,
  totalsOf,
  withClaims,
} from '#lib/service/earnings/payouts/payout.ts';
import { isSameChoice, type PayoutChoice } from '#lib/service/earnings/recording/payout-choice.ts';
import { keptPlan, linesFrom } from '#lib/service/earnings/recording/kept-plan.ts';
import { ClaimSteps } from '#lib/service/earnings/recording/claim-steps.ts';
import { type Claimable, claimsToRecord } from '#lib/service/earnings/recording/claims-to-record.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import {
  dueHasChanged,
  nothingToPayOut,
  payoutsFrozen,
  payoutUnderWay,
  sandboxPaysNothing,
} from '#lib/service/ground/values/refusals.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { mailWrites } from '#lib/service/people/mail/mails-items.ts';
import { commissionWriteName, findPayout, payoutStepWrites } from '#lib/service/earnings/payouts/payouts-items.ts';
import { lineOfClaim } from '#lib/service/earnings/lines/payout-lines-items.ts';
import { withClaim } from '#lib/service/earnings/lines/payout-line.ts';
import { ConditionFailed, type Write } from '#lib/service/ground/table/writes.ts';
import { PAYOUTS_FLOW, payoutsFlowCheck } from '#lib/service/people/workspaces/workspaces-items.ts';
import { auditWrites } from '#lib/service/people/workspaces/audit-writes.ts';
import { checkNotFrozen } from '#lib/service/earnings/payouts/freeze-payouts.ts';
import { type Plan, planOf, plannedBy, plannedSums } from '#lib/service/earnings/recording/plan-payout.ts';

const MOST_ATTEMPTS = 12;
/**
 * A request works at most this long, so that it answers within 10 seconds. Later requests and the scheduled function do
 * the rest.
 */
const WORK_MS = 8_000;

/**
 * Records what a program owes to its partners. Each partner gets one line per currency in which its due amounts sum to
 * more than 0 and, in the program's currency, reach the minimum. Commissions are recorded in steps; the transaction of
 * a step also writes the step's lines and the payout. If the program has an open payout with the same choice, that
 * payout is continued. Each commission is in one payout only.
 * @param expected the totals that the caller expects; a new payout is not started if the due totals differ
 * @returns the payout; it is still open if one request was not enough
 * @throws Refusal if nothing is due, other totals are due, a payout with another choice is open, or the payouts are
 * frozen
 */
export const payOut = (
  deps: Deps,
  programId: number,
  choice: PayoutChoice,
  actor: Actor,
  expected?: PayoutTotals,
): Promise<Payout> =>
  worked(deps, actor, expected, async () => {
    const plan = await planOf(deps, programId, choice, actor, deps.ids.take(deps.table));
    if (plan.payout.steps > 0 && !isSameChoice(plan.choice, choice)) throw payoutUnderWay(plan.payout.id);
    return plan;
  });

/** Continues an open payout. A completed payout is returned unchanged. */
export const continuePayout = (deps: Deps, { id, programId }: Payout, actor: Actor): Promise<Payout> =>
  worked(deps, actor, undefined, async () => {
    const payout = await findPayout(deps.table, id);
    if (payout?.status !== 'open') return payout!;
    const plan = await planOf(deps, programId, {}, actor);
    if (plan.payout.id === id) return plan;
    // Another request has completed the payout between the two reads.
    deps.table.forget();
    return (await findPayout(deps.table, id))!;
  });

/**
 * Works on a payout until it is complete or the request's time is over. If another request is working on the payout,
 * this one waits for it.
 */
async function worked(
  deps: Deps,
  actor: Actor,
  expected: PayoutTotals | undefined,
  load: () => Promise<Plan | Payout>,
): Promise<Payout> {
  const untilMs = performance.now() + WORK_MS;
  for (let attempt = 1; ; attempt++) {
    const plan = await load();
    if (!('payout' in plan)) return plan;
    if (plan.program.isSandbox) throw sandboxPaysNothing();
    await checkNotFrozen(deps, plan.program.workspaceId);
    try {
      return await carriedOut(deps, plan, { actor, expected, untilMs });
    } catch (error) {
      if (!(error instanceof ConditionFailed) || attempt === MOST_ATTEMPTS) throw error;
    }
    const worker = await workOfAnother(deps, plan.payout.id, untilMs);
    if (worker) return worker;
  }
}

interface Work {
  readonly actor: Actor;
  readonly expected?: PayoutTotals;
  readonly untilMs: number;
}

/**
 * Makes steps until all commissions are recorded or the request's time is over. Commissions that changed since they
 * were read are evaluated again.
 * @throws Refusal if payouts were frozen after the start. Commissions already recorded stay in the open payout
 * @throws ConditionFailed if another request has made a step of this payout, or has started another payout
 */
async function carriedOut(deps: Deps, plan: Plan, { actor, expected, untilMs }: Work): Promise<Payout> {
  const { table, now } = deps;
  const { program, choice } = plan;
  let { payout, line } = plan;
  const kept = deps.once(keptPlan);
  const rest = kept.takeFor(plan, now);
  let lines = rest ?? (await plannedBy(deps, plan)).lines;
  const sums = plannedSums(payout, lines);
  let audit: Write[] = [];
  if (payout.steps === 0) {
    if (lines.length === 0) throw nothingToPayOut();
    if (expected && !areSameTotals(totalsOf(sums), expected)) throw dueHasChanged();
    audit = auditWrites(deps, program.workspaceId, {
      action: 'payout.begun',
      target: { type: 'payout', id: payout.id, programId: program.id },
      changes: changesBetween({}, { ...plannedChanges(choice), totals: totalsOf(sums) }),
    });
  }
  const planned = rest ? payout.planned : countIn(sums, 'commissions');
  let claims = new ClaimSteps(claimsToRecord(deps, plan, lines));
  let lost = 0;
  while (payout.status === 'open') {
    const { step, isLast } = await claims.next(line && groupOf(line));
    if (step.length === 0 && payout.steps === 0) throw nothingToPayOut();
    const stepClaims = joinedClaims(step.map(claimOf));
    const extended = line && stepClaims[0] && groupOf(stepClaims[0]) === groupOf(line) ? line : undefined;
    const after: Payout = {
      ...withClaims(payout, stepClaims, extended, isLast ? 'made' : 'open'),
      ...(isLast ? { planned: undefined } : { planned }),
      workedAt: now.toISOString(),
    };
    const commissions = step.map(({ before }) => ({ before, after: paidOut(before, payout.id, { actor, at: now }) }));
    try {
      await table.transact([
        ...payoutStepWrites({ before: payout, after, choice, claims: stepClaims, extended, commissions }),
        payoutsFlowCheck(program.workspaceId),
        ...audit,
        ...(isLast ? payoutMailWrites(program, after, now) : []),
      ]);
    } catch (error) {
      lost += 1;
      if (!(error instanceof ConditionFailed) || lost === MOST_ATTEMPTS) throw error;
      if (error.existing.has(PAYOUTS_FLOW)) throw payoutsFrozen();
      const changed = step.filter(({ part }) => error.existing.has(commissionWriteName(part.id)));
      // If more than the commissions of this step has changed, another request has made a step of this payout.
      if (changed.length < error.existing.size) throw error;
      lines = linesFrom(lines, stepClaims[0], extended?.amountCents);
      claims = new ClaimSteps(claimsToRecord(deps, plan, lines));
      continue;
    }
    const latest = stepClaims.at(-1);
    if (latest) {
      const isExtended = extended && groupOf(extended) === groupOf(latest);
      line = isExtended ? withClaim(extended, latest) : lineOfClaim(after, after.steps, latest);
    }
    audit = [];
    payout = after;
    lost = 0;
    if (performance.now() > untilMs) break;
  }
  if (payout.status === 'open') kept.keep(payout.id, linesFrom(lines, payout.last), now);
  return payout;
}

/** The choice as the audit list shows it. Instead of a list of partners it contains their number. */
const plannedChanges = ({ partnerIds, exceptPartnerIds, ...choice }: PayoutChoice) => ({
  ...choice,
  partners: partnerIds?.length,
  exceptPartners: exceptPartnerIds?.length,
});

const claimOf = ({ part }: Claimable): PayoutClaims => ({
  partnerId: part.partnerId,
  currency: part.currency,
  amountCents: part.openCents,
  commissionIds: [part.id],
});

/** Writes of the e-mails that show each partner the amounts which the payout pays to this partner. */
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
 * For how many polls in a row the payout may be unchanged. They take much longer than a step, so if nothing has changed
 * by then, the request that worked on the payout was interrupted.
 */
const MOST_IDLE_POLLS = 8;

/**
 * Waits while another request makes progress on this payout.
 * @returns the payout, when it is complete or the time is over; undefined if there is no progress or no such payout
 */
async function workOfAnother({ table }: Deps, payoutId: number, untilMs: number): Promise<Payout | undefined> {
  let steps = 0;
  let idle = 0;
  for (;;) {
    table.forget();
    const payout = await findPayout(table, payoutId);
    if (!payout || payout.status === 'made' || performance.now() > untilMs) return payout;
    idle = payout.steps > steps ? 0 : idle + 1;
    if (idle > MOST_IDLE_POLLS) return undefined;
    ({ steps } = payout);
    await pause(POLL_MS);
  }
}
