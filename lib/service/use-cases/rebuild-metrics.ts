import { isDeepStrictEqual } from 'node:util';
import { setTimeout as pause } from 'node:timers/promises';
import { latestClicks, incrementsOf, incrementSum } from '#lib/domain/counters.ts';
import { programNotFound } from '#lib/domain/refusals.ts';
import type { OperatorDeps } from '#lib/service/deps.ts';
import { findProgram } from '#lib/service/store/programs.ts';
import {
  type CounterRow,
  countablesOf,
  missingRow,
  replaceRow,
  expectedCounters,
  type StoredCounter,
  storedCounters,
} from '#lib/service/store/recount.ts';
import { haveProbesPassed, PROBES, sendProbes } from '#lib/service/store/probes.ts';
import { BATCH_WINDOW_SECONDS } from '#lib/service/config/table-definition.ts';
import { ConditionFailed, isConflict } from '#lib/service/store/writes.ts';

export interface Rebuilt {
  readonly programId: number;
  /** Daily rows that the events give. */
  readonly days: number;
}

/**
 * Between two checks of the probes. Longer than a record waits for its batch, and an item for its place in the index.
 */
const WAIT_MS = 2_000 * BATCH_WINDOW_SECONDS;
/** Two minutes: a slower consumer is late. */
const MOST_WAITS = 12;
const MOST_ROUNDS = 10;

/** How a rebuild detects that the counters have caught up with the events. */
interface CatchingUp {
  /** Waits between two checks. */
  readonly wait: () => Promise<unknown>;
  /** How many probes are sent: so many that every shard of the stream gets one. */
  readonly probes: number;
}

const catchingUp: CatchingUp = { wait: () => pause(WAIT_MS), probes: PROBES };

/**
 * Counts a program's events and commissions again and puts right every counter that disagrees. Events may come in
 * meanwhile: their differences vanish when they are counted, so a counter is corrected only if two recounts find the
 * same difference and it did not change in between. Between them the stream's consumer processes everything that the
 * first one may have found: late events must not be added here, or they would be counted twice.
 * @throws Refusal when there is no such program.
 * @throws Error when the counters are late, or keep changing
 */
export async function rebuildMetrics(
  deps: OperatorDeps,
  programId: number,
  how: Partial<CatchingUp> = {},
): Promise<Rebuilt> {
  if (!(await findProgram(deps.table, programId))) throw programNotFound();
  let before = await recount(deps, programId);
  for (let round = 1; before.wrong.size > 0; round++) {
    if (round > MOST_ROUNDS)
      throw new Error(`Counters of program ${programId} are in motion: repeat at a quieter time`);
    await untilCounted(deps, programId, { ...catchingUp, ...how });
    const now = await recount(deps, programId);
    for (const [name, wrong] of now.wrong) {
      if (isDeepStrictEqual(wrong, before.wrong.get(name)) && (await mended(deps, wrong))) now.wrong.delete(name);
    }
    before = now;
  }
  return { programId, days: before.days };
}

/** Waits until everything written so far is counted, or has failed for good. @throws Error when that takes too long */
async function untilCounted(
  { table, now, random }: OperatorDeps,
  programId: number,
  { wait, probes }: CatchingUp,
): Promise<void> {
  const run = random.probeRun();
  await sendProbes(table, run, probes, now);
  for (let waits = 0; waits < MOST_WAITS; waits++) {
    await wait();
    if (await haveProbesPassed(table, run, probes)) return;
  }
  throw new Error(
    `The counters are late, so nothing more was changed of program ${programId}. Repeat when the alarm CountersLate is over`,
  );
}

/** A counter that disagrees with the events. */
interface Wrong {
  readonly stored: StoredCounter;
  readonly right: CounterRow['holds'];
}

async function recount(
  { table }: OperatorDeps,
  programId: number,
): Promise<{ days: number; wrong: Map<string, Wrong> }> {
  const sum = incrementSum();
  let latest = new Map<string, string>();
  for await (const countables of countablesOf(table, programId)) {
    sum.add(countables.flatMap((countable) => incrementsOf(undefined, countable)));
    latest = latestClicks(countables, latest);
  }
  const increments = sum.increments();
  const named = increments.flatMap(({ counter }) => (counter.of === 'link' ? counter.name : []));
  const stored = byName(await storedCounters(table, programId, named));
  const right = byName(expectedCounters(increments, latest));
  const wrong = new Map<string, Wrong>();
  for (const [name, row] of new Map([...right, ...stored])) {
    const found = { stored: stored.get(name) ?? missingRow(row), right: right.get(name)?.holds ?? {} };
    if (!isDeepStrictEqual(found.stored.holds, found.right)) wrong.set(name, found);
  }
  return { days: increments.filter(({ counter }) => counter.of === 'day').length, wrong };
}

const byName = <Row extends CounterRow>(rows: readonly Row[]): Map<string, Row> =>
  new Map(rows.map((row) => [`${row.key.pk} ${row.key.sk}`, row]));

/** @returns false when the counter has changed */
async function mended({ table }: OperatorDeps, { stored, right }: Wrong): Promise<boolean> {
  try {
    await replaceRow(table, stored, right);
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed || isConflict(error)) return false;
    throw error;
  }
}
