import { type Corrected, eventDays } from '#lib/service/ground/counters/counter-parts.ts';
import { wholeCounter } from '#lib/service/ground/counters/counter-readings-items.ts';
import { programNotFound } from '#lib/service/ground/values/refusals.ts';
import { type Day, dayLater, dayOf } from '#lib/service/ground/values/day.ts';
import type { OperatorDeps } from '#lib/service/ground/effects/deps.ts';
import { findProgram } from '#lib/service/programs/program/programs-items.ts';
import { NOTHING_CORRECTED } from '#lib/service/reports/counting/correct-counters.ts';
import { rebuildCustomers } from '#lib/service/reports/counting/rebuild-customers.ts';
import { type Portion, rebuildClicks, rebuildConversions } from '#lib/service/reports/counting/rebuild-events.ts';
import {
  type DueRebuild,
  findProgress,
  type RebuildProgress,
  removeProgress,
  storeDueRebuild,
  storeProgress,
} from '#lib/service/reports/counting/rebuilds-items.ts';
import { type CatchingUp, sharedProbes, type UntilCounted } from '#lib/service/reports/counting/shared-probes.ts';

/** How many programs are rebuilt in parallel. Most of the time they wait for the consumer of the stream. */
export const PROGRAMS_AT_ONCE = 20;

export interface Rebuilt extends Corrected {
  readonly programId: number;
  /** Number of days with counts. */
  readonly days: number;
}

export interface Rebuilding extends Partial<CatchingUp> {
  /** Waits until the counters include all events written so far. Default: by writing probes of this rebuild. */
  readonly untilCounted?: UntilCounted;
  /** Receives a line of text after each portion of work. */
  readonly report?: (line: string) => void;
  /**
   * Set if this repeats an earlier rebuild, which could not correct all fields. The caller then stores whether it must
   * be repeated again.
   */
  readonly repeats?: DueRebuild;
}

type Part = (
  deps: OperatorDeps,
  programId: number,
  after: string | undefined,
  untilCounted: UntilCounted,
) => AsyncGenerator<Portion>;

/** The parts of a rebuild, in order. If one fails, the others are still done. */
const parts: Readonly<Record<string, Part>> = {
  clicks: rebuildClicks,
  conversions: rebuildConversions,
  customers: rebuildCustomers,
};

/**
 * Recounts a program's events and commissions and corrects every counter that disagrees. Events may arrive meanwhile.
 * Fields that keep changing, such as those of today in a busy program, are not corrected; the schedule repeats the
 * rebuild when the day is over. If a rebuild is interrupted, a rebuild within a day continues it.
 * @throws Refusal if there is no such program
 * @throws CountersLate
 */
export async function rebuildMetrics(deps: OperatorDeps, programId: number, how: Rebuilding = {}): Promise<Rebuilt> {
  const { table, now } = deps;
  const { untilCounted = sharedProbes(deps, how), report = () => undefined, repeats } = how;
  if (!(await findProgram(table, programId))) throw programNotFound();
  const names = Object.keys(parts);
  const known = await findProgress(table, programId);
  // Continues interrupted progress, unless it belongs to the rebuild that this one repeats: a repetition starts from
  // the beginning.
  let progress = known && (!repeats || known.day > repeats.day) ? known : begun(names[0]!, dayOf(now), repeats);
  for (const [index, name] of names.entries()) {
    if (name !== progress.part) continue;
    for await (const portion of parts[name]!(deps, programId, progress.at, untilCounted)) {
      progress = { ...progress, ...sumOf(progress, portion), at: portion.at };
      await storeProgress(table, programId, progress, now);
      report(lineOf(programId, progress));
    }
    const next = names[index + 1];
    if (next === undefined) break;
    progress = { ...progress, part: next, at: undefined };
    await storeProgress(table, programId, progress, now);
  }
  const { day, corrected, open, unsettled } = progress;
  // The request to repeat this rebuild is stored before the progress is removed, so that an interruption loses neither.
  if (!repeats && open + unsettled > 0) {
    const clicksSince = unsettled === 0 ? day : undefined;
    await storeDueRebuild(table, { day, clicksSince, programId, tries: 0 });
  }
  await removeProgress(table, programId);
  table.forget();
  const { counts } = await wholeCounter(table, { of: 'program', programId });
  return { programId, days: eventDays(counts), corrected, open, unsettled };
}

const begun = (part: string, day: Day, { clicksSince }: Partial<DueRebuild> = {}): RebuildProgress => ({
  ...NOTHING_CORRECTED,
  day,
  part,
  // The earlier rebuild has corrected the clicks before `clicksSince`, so the repetition begins with that day.
  at: clicksSince && dayLater(clicksSince, -1),
});

const sumOf = (one: Corrected, other: Corrected): Corrected => ({
  corrected: one.corrected + other.corrected,
  open: one.open + other.open,
  unsettled: one.unsettled + other.unsettled,
});

const lineOf = (programId: number, { part, at, corrected }: RebuildProgress): string =>
  `Program ${programId}: ${part}${at === undefined ? '' : ` up to ${at}`} compared, ${corrected} numbers corrected so far`;
