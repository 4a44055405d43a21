import type { Commission } from '#lib/service/earnings/commissions/commission.ts';
import { asReadAt } from '#lib/service/earnings/commissions/commission-lifecycle.ts';
import type { Fact } from '#lib/service/outbox/facts/fact.ts';
import { unsettledListedAt } from '#lib/service/earnings/commissions/commission-listings-items.ts';
import type { UnsettledCommission } from '#lib/service/earnings/commissions/unsettled-commission.ts';
import {
  type DueApprovals,
  firstDueApprovals,
  moveDueApprovals,
  putDueApprovals,
  removeDueApprovals,
} from '#lib/service/outbox/facts/due-facts-items.ts';
import { indexKeys, type Key } from '#lib/service/ground/table/keys.ts';
import { findProgram } from '#lib/service/programs/program/programs-items.ts';
import { fanOutGroups } from '#lib/service/outbox/deliveries/fan-out.ts';
import { type FactData, publishApproval } from '#lib/service/outbox/facts/publish-facts.ts';
import { isFinal } from '#lib/service/outbox/mail/send-mails.ts';
import type { WakeDeps } from '#lib/service/outbox/deliveries/wake-endpoint.ts';

const AT_ONCE = 100;

/**
 * Publishes the facts of commissions that became approved because their hold period ended. Commissions that are no
 * longer approved are skipped. May be repeated; the next run continues where this one ends.
 */
export async function makeDueFacts(deps: WakeDeps, dataOf: FactData): Promise<void> {
  const { table, now } = deps;
  for (;;) {
    table.forget();
    const due = await firstDueApprovals(table, now, AT_ONCE);
    const single = due.flatMap((one) => (one.commission ? [{ one, place: one.commission }] : []));
    const facts = await Promise.all(single.map(({ one, place }) => approvalOfPlace(deps, one, place, dataOf)));
    await deliver(deps, facts);
    await Promise.all(single.map(({ one }) => removeDueApprovals(table, one)));
    for (const one of due) if (!one.commission && !(await walk(deps, one, dataOf))) return;
    if (due.length < AT_ONCE || deps.ending?.aborted) return;
  }
}

/** Publishes the due approvals of a program's commissions. @returns false if time ran out before the end */
async function walk(deps: WakeDeps, due: DueApprovals, dataOf: FactData): Promise<boolean> {
  const { table, now } = deps;
  const list = indexKeys.unsettledCommission(due.programId, '', 0).gsi1pk;
  let step = due;
  for (;;) {
    if (deps.ending?.aborted) return false;
    table.forget();
    const { entries, next } = await table.list(list, { most: AT_ONCE, after: step.after });
    const pending = entries
      .map((place) => ({ place, ...unsettledListedAt(place.position) }))
      .filter(({ status }) => status === 'pending');
    const over = pending.filter(({ holdUntil }) => holdUntil <= now.toISOString());
    if (due.isBeginning)
      await recordHolds(
        deps,
        due,
        pending.filter((one) => !over.includes(one)),
      );
    // If the program's facts have just begun, approvals from before that time are not published.
    const published = due.isBeginning ? over.filter(({ holdUntil }) => holdUntil >= due.dueAt) : over;
    await deliver(deps, await Promise.all(published.map(({ place }) => approvalOfPlace(deps, due, place, dataOf))));
    if (next === undefined) break;
    step = await moveDueApprovals(table, step, next);
  }
  await removeDueApprovals(table, due);
  return true;
}

/** Schedules the facts for the end of the hold periods of pending commissions. May be repeated. */
async function recordHolds(
  { table }: WakeDeps,
  { programId }: DueApprovals,
  pending: readonly (Pick<UnsettledCommission, 'holdUntil'> & { readonly place: Key })[],
): Promise<void> {
  const notes = pending.map(({ holdUntil: dueAt, place: { pk, sk } }) =>
    putDueApprovals(table, { programId, dueAt, commission: { pk, sk } }),
  );
  await Promise.all(notes);
}

/**
 * Creates the deliveries of facts. Facts whose deliveries can never be created are logged and skipped, so that one of
 * them does not stop the others in every run.
 */
async function deliver(deps: WakeDeps, facts: readonly (readonly Fact[])[]): Promise<void> {
  const errors = (await fanOutGroups(deps, facts)).filter((error) => error !== undefined);
  for (const error of errors) {
    if (!isFinal(error)) throw error;
    deps.log.error('fact_failed', error);
  }
}

/** Publishes the approval of a commission if it is approved. An error that no retry can avoid is only logged. */
async function approvalOfPlace(
  deps: WakeDeps,
  { programId, dueAt }: DueApprovals,
  { pk, sk }: Key,
  dataOf: FactData,
): Promise<readonly Fact[]> {
  const { table, now, log } = deps;
  const [program, commission] = await Promise.all([findProgram(table, programId), table.get<Commission>({ pk, sk })]);
  if (!program || !commission) return [];
  try {
    const { approvedAt, holdUntil } = asReadAt(commission, program, now);
    if (approvedAt === undefined) return [];
    return await publishApproval(deps, commission, holdUntil > dueAt ? holdUntil : dueAt, dataOf);
  } catch (error) {
    if (!isFinal(error)) throw error;
    log.error('fact_failed', error, { program_id: programId, commission_id: commission.id });
    return [];
  }
}
