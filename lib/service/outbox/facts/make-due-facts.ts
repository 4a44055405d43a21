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
import { fanOut } from '#lib/service/outbox/deliveries/fan-out.ts';
import { type FactData, publishApproval } from '#lib/service/outbox/facts/publish-facts.ts';
import { isFinal } from '#lib/service/outbox/mail/send-mails.ts';
import type { WakeDeps } from '#lib/service/outbox/deliveries/wake-endpoint.ts';

const AT_ONCE = 100;

/**
 * Publishes commissions that became approved by the end of their hold. Those no longer approved are skipped.
 * Idempotent; the next run continues where this one ends.
 */
export async function makeDueFacts(deps: WakeDeps, dataOf: FactData): Promise<void> {
  const { table, now } = deps;
  for (;;) {
    table.forget();
    const due = await firstDueApprovals(table, now, AT_ONCE);
    const single = due.filter(({ commission }) => commission);
    const facts = await Promise.all(single.map((one) => approvalsOf(deps, one, [one.commission!], dataOf)));
    await fanOut(deps, facts.flat());
    await Promise.all(single.map((one) => removeDueApprovals(table, one)));
    for (const one of due) if (!one.commission && !(await walk(deps, one, dataOf))) return;
    if (due.length < AT_ONCE || deps.deadline?.aborted) return;
  }
}

/**
 * Processes all commissions of a program.
 * @returns false if time ran out before the end
 */
async function walk(deps: WakeDeps, due: DueApprovals, dataOf: FactData): Promise<boolean> {
  const { table, now } = deps;
  const list = indexKeys.unsettledCommission(due.programId, '', 0).gsi1pk;
  for (let step = due; ;) {
    if (deps.deadline?.aborted) return false;
    const { entries, next } = await table.list(list, { most: AT_ONCE, after: step.after });
    const pending = entries
      .map((key) => ({ key, ...unsettledListedAt(key.position) }))
      .filter(({ status }) => status === 'pending');
    const isOver = ({ holdUntil }: UnsettledCommission) => holdUntil <= now.toISOString();
    if (due.isBeginning)
      await recordHolds(
        deps,
        due,
        pending.filter((one) => !isOver(one)),
      );
    // Those approved before the facts began are not published.
    const isWithin = ({ holdUntil }: UnsettledCommission) => !due.isBeginning || holdUntil >= due.dueAt;
    const over = pending.filter((one) => isOver(one) && isWithin(one));
    await fanOut(
      deps,
      await approvalsOf(
        deps,
        due,
        over.map(({ key }) => key),
        dataOf,
      ),
    );
    if (next === undefined) break;
    step = await moveDueApprovals(table, step, next);
  }
  await removeDueApprovals(table, due);
  return true;
}

/** Records when the holds of pending commissions end. Idempotent. */
async function recordHolds(
  { table }: WakeDeps,
  { programId }: DueApprovals,
  pending: readonly (UnsettledCommission & { readonly key: Key })[],
): Promise<void> {
  const notes = pending.map(({ holdUntil: dueAt, key: { pk, sk } }) =>
    putDueApprovals(table, { programId, dueAt, commission: { pk, sk } }),
  );
  await Promise.all(notes);
}

/** Publishes those of the commissions that are approved now. */
async function approvalsOf(
  deps: WakeDeps,
  { programId, dueAt }: DueApprovals,
  places: readonly Key[],
  dataOf: FactData,
): Promise<readonly Fact[]> {
  const { table, now, log } = deps;
  const [program, ...commissions] = await Promise.all([
    findProgram(table, programId),
    ...places.map(({ pk, sk }) => table.get<Commission>({ pk, sk })),
  ]);
  const made = commissions.map(async (commission) => {
    if (!program || !commission) return [];
    const { approvedAt, holdUntil } = asReadAt(commission, program, now);
    if (approvedAt === undefined) return [];
    try {
      return await publishApproval(deps, commission, holdUntil > dueAt ? holdUntil : dueAt, dataOf);
    } catch (error) {
      if (!isFinal(error)) throw error;
      log.error('fact_failed', error, { program_id: programId, commission_id: commission.id });
      return [];
    }
  });
  return (await Promise.all(made)).flat();
}
