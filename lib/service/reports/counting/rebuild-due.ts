import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { dayOf } from '#lib/service/ground/values/day.ts';
import { PROGRAMS_AT_ONCE, rebuildMetrics, type Rebuilding } from '#lib/service/reports/counting/rebuild-metrics.ts';
import {
  type DueRebuild,
  dueRebuilds,
  removeDueRebuild,
  storeDueRebuild,
} from '#lib/service/reports/counting/rebuilds-items.ts';
import { CountersLate, sharedProbes } from '#lib/service/reports/counting/shared-probes.ts';
import { Refusal } from '#lib/service/ground/values/refusals.ts';

/** How many rebuilds one run reads. The next run reads the others. */
const MOST_REBUILDS = 1_000;
/**
 * How many runs try the same rebuild, one per hour. Without this limit, programs that can never be completed would take
 * the time of all runs.
 */
const MOST_TRIES = 24;

/**
 * Makes the rebuilds again that were made on a day before today. Only when a day is over do the counts of that day no
 * longer change. If a run ends before a rebuild is complete, the next run continues it.
 */
export async function rebuildDue(deps: Deps, how: Rebuilding = {}): Promise<void> {
  const untilCounted = sharedProbes(deps, how);
  const found = await dueRebuilds(deps.table, dayOf(deps.now), MOST_REBUILDS);
  // If a program has rebuilds of several days, only one of them is made at a time, because a program has only one
  // stored position.
  const due = [...new Map(found.map((one) => [one.programId, one])).values()];
  for (let at = 0; at < due.length; at += PROGRAMS_AT_ONCE) {
    if (deps.ending?.aborted) return;
    const some = due.slice(at, at + PROGRAMS_AT_ONCE);
    const errors = await Promise.all(some.map((one) => errorOf(deps, one, { ...how, untilCounted, repeats: one })));
    if (errors.some((error) => error instanceof CountersLate)) return;
  }
}

/** Tries one rebuild. @returns why it failed; undefined if it succeeded or the function's time is over */
async function errorOf(deps: Deps, due: DueRebuild, how: Rebuilding): Promise<unknown> {
  try {
    await repeat(deps, due, how);
    return undefined;
  } catch (error) {
    // The function's time is over, so the rebuild did not fail. The next run continues it.
    if (deps.ending?.aborted) return undefined;
    deps.log.error('counters_not_rebuilt', error, { program_id: due.programId });
    if (error instanceof Refusal) await removeDueRebuild(deps.table, due);
    return error;
  }
}

async function repeat(deps: Deps, due: DueRebuild, how: Rebuilding): Promise<void> {
  const { table, log } = deps;
  const { programId, tries } = due;
  if (tries >= MOST_TRIES) {
    await removeDueRebuild(table, due);
    throw new Error(
      `${tries} runs did not complete it. Run \`metrics rebuild --program ${programId} --stage <stage>\``,
    );
  }
  await storeDueRebuild(table, { ...due, tries: tries + 1 });
  const { corrected, unsettled } = await rebuildMetrics(deps, programId, how);
  log.info('counters_rebuilt', { program_id: programId, corrected, unsettled });
  // Only counts of the present day may still change (`open`). This rebuild was made for an earlier day.
  if (unsettled === 0) await removeDueRebuild(table, due);
}
