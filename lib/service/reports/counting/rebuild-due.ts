import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { dayOf } from '#lib/service/ground/values/day.ts';
import { rebuildMetrics, type Rebuilding } from '#lib/service/reports/counting/rebuild-metrics.ts';
import {
  type DueRebuild,
  dueRebuilds,
  removeDueRebuild,
  storeDueRebuild,
} from '#lib/service/reports/counting/rebuilds-items.ts';
import { CountersLate, sharedProbes } from '#lib/service/reports/counting/shared-probes.ts';
import { Refusal } from '#lib/service/ground/values/refusals.ts';

/** Rebuilds that one run reads. The next run reads the others. */
const MOST_REBUILDS = 1_000;
/** Runs of one rebuild, one an hour. A program that no run completes would occupy all of them. */
const MOST_TRIES = 24;

/**
 * Repeats rebuilds of days that are over: the fields of the day have stopped changing. A run that ends in the middle is
 * continued by the next one.
 */
export async function rebuildDue(deps: Deps, how: Rebuilding = {}): Promise<void> {
  const { table, now, ending } = deps;
  const untilCounted = sharedProbes(deps, how);
  for (const due of await dueRebuilds(table, dayOf(now), MOST_REBUILDS)) {
    if (ending?.aborted) return;
    try {
      await repeat(deps, due, { ...how, untilCounted, repeats: due.day });
    } catch (error) {
      // The function's time is over, and the program continues where it was.
      if (ending?.aborted) return;
      deps.log.error('counters_not_rebuilt', error, { program_id: due.programId });
      if (error instanceof Refusal) await removeDueRebuild(table, due);
      if (error instanceof CountersLate) return;
    }
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
  // Fields that still change are those of the new day, which the rebuild was not for.
  if (unsettled === 0) await removeDueRebuild(table, due);
}
