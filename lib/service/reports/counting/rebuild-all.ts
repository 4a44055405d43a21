import type { OperatorDeps } from '#lib/service/ground/effects/deps.ts';
import { everyProgram, highestProgramId } from '#lib/service/programs/program/programs-items.ts';
import {
  PROGRAMS_AT_ONCE,
  rebuildMetrics,
  type Rebuilding,
  type Rebuilt,
} from '#lib/service/reports/counting/rebuild-metrics.ts';
import { programsDone, removeProgramsDone, storeProgramsDone } from '#lib/service/reports/counting/rebuilds-items.ts';
import { CountersLate, sharedProbes } from '#lib/service/reports/counting/shared-probes.ts';

/** A program whose counters could not be corrected, with the reason. */
export interface NotRebuilt {
  readonly programId: number;
  readonly reason: string;
}

export interface AllRebuilt {
  readonly rebuilt: readonly Rebuilt[];
  readonly failed: readonly NotRebuilt[];
  /** The last program that an earlier, interrupted run had completed. */
  readonly continuedAfter?: number;
}

/**
 * Rebuilds the counters of all programs. If one program fails, the others are still rebuilt. If a run is interrupted, a
 * run within a day continues it.
 * @throws CountersLate
 */
export async function rebuildAllMetrics(deps: OperatorDeps, how: Rebuilding = {}): Promise<AllRebuilt> {
  const { table, now } = deps;
  const { untilCounted = sharedProbes(deps, how), report = () => undefined } = how;
  const continuedAfter = await programsDone(table);
  const programIds: number[] = [];
  for await (const { id } of everyProgram(table, await highestProgramId(table))) {
    if (id > (continuedAfter ?? 0)) programIds.push(id);
  }
  const rebuilt: Rebuilt[] = [];
  const failed: NotRebuilt[] = [];
  for (let at = 0; at < programIds.length; at += PROGRAMS_AT_ONCE) {
    const some = programIds.slice(at, at + PROGRAMS_AT_ONCE);
    const outcomes = await Promise.allSettled(
      some.map((programId) => rebuildMetrics(deps, programId, { ...how, untilCounted })),
    );
    for (const [index, outcome] of outcomes.entries()) {
      if (outcome.status === 'fulfilled') rebuilt.push(outcome.value);
      // If the stream's consumer is late for one program, it is late for all, so waiting for the others would be in
      // vain.
      else if (outcome.reason instanceof CountersLate) throw outcome.reason;
      else failed.push({ programId: some[index]!, reason: messageOf(outcome.reason) });
    }
    await storeProgramsDone(table, some.at(-1)!, now);
    report(`${at + some.length} of ${programIds.length} programs are done`);
  }
  await removeProgramsDone(table);
  return { rebuilt, failed, continuedAfter };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
