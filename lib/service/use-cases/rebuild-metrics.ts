import { isDeepStrictEqual } from 'node:util';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type Correction,
  corrected,
  eventDays,
  type Part,
  type PartName,
  partsOfCounter,
  wrongFields,
} from '#lib/domain/counter-parts.ts';
import { clickOf, type Counter, counterId, incrementsOf, incrementSum } from '#lib/domain/counters.ts';
import { programNotFound } from '#lib/domain/refusals.ts';
import { BATCH_WINDOW_SECONDS } from '#lib/service/config/table-definition.ts';
import type { OperatorDeps } from '#lib/service/deps.ts';
import { wholeCounter } from '#lib/service/store/counter-readings.ts';
import { correctCounter, MOST_FIELDS, moveCounts, outgrows } from '#lib/service/store/counters.ts';
import { haveProbesPassed, PROBES, sendProbes } from '#lib/service/store/probes.ts';
import { everyProgram, findProgram, highestProgramId } from '#lib/service/store/programs.ts';
import { countablesOf, countersOf, removeFormerCounters } from '#lib/service/store/recount.ts';
import { ConditionFailed, isHeld } from '#lib/service/store/writes.ts';

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
 * meanwhile: their differences vanish when they are counted, so a part of a counter is corrected only if two recounts
 * find the same numbers in it and in the events. Between them the stream's consumer processes everything that the
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
    const unchanged = [...now.wrong].filter(([name, wrong]) => isDeepStrictEqual(wrong, before.wrong.get(name)));
    const ofCounters = Map.groupBy(unchanged, ([, { counter }]) => counterId(counter));
    for (const named of ofCounters.values()) {
      const mended = await mend(
        deps,
        named.map(([, wrong]) => wrong),
      );
      for (const [name, wrong] of named) if (mended.has(wrong)) now.wrong.delete(name);
    }
    before = now;
  }
  await removeFormerCounters(deps.table, programId, before.shortLinks);
  return { programId, days: before.days };
}

/** A program whose counters could not be put right, and why. */
export interface NotRebuilt {
  readonly programId: number;
  readonly reason: string;
}

/** Programs at a time: each mostly waits for the consumer. */
const AT_ONCE = 10;

/** Every program. One that fails does not keep the others from it. */
export async function rebuildAllMetrics(
  deps: OperatorDeps,
  how: Partial<CatchingUp> = {},
): Promise<{ rebuilt: readonly Rebuilt[]; failed: readonly NotRebuilt[] }> {
  const programIds: number[] = [];
  for await (const { id } of everyProgram(deps.table, await highestProgramId(deps.table))) programIds.push(id);
  const rebuilt: Rebuilt[] = [];
  const failed: NotRebuilt[] = [];
  for (let at = 0; at < programIds.length; at += AT_ONCE) {
    const some = programIds.slice(at, at + AT_ONCE);
    const outcomes = await Promise.allSettled(some.map((programId) => rebuildMetrics(deps, programId, how)));
    for (const [index, outcome] of outcomes.entries()) {
      if (outcome.status === 'fulfilled') rebuilt.push(outcome.value);
      else failed.push({ programId: some[index]!, reason: messageOf(outcome.reason) });
    }
  }
  return { rebuilt, failed };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

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

/** A part of a counter that disagrees with the events. */
interface Wrong {
  readonly counter: Counter;
  readonly part: PartName;
  readonly stored: Part;
  readonly right: Part;
}

async function recount(
  { table, now }: OperatorDeps,
  programId: number,
): Promise<{ days: number; wrong: Map<string, Wrong>; shortLinks: string[] }> {
  const sum = incrementSum();
  const clicks = new Map<string, string>();
  for await (const countables of countablesOf(table, programId)) {
    for (const countable of countables) {
      sum.add(incrementsOf(undefined, countable));
      const { shortLink, at } = clickOf(countable) ?? { shortLink: '', at: '' };
      if (at > (clicks.get(shortLink) ?? '')) clicks.set(shortLink, at);
    }
  }
  const expected = new Map(sum.increments().map((increment) => [counterId(increment.counter), increment]));
  const counters = await countersOf(table, programId);
  for (const [id, { counter }] of expected) counters.set(id, counter);

  const wrong = new Map<string, Wrong>();
  for (const [id, counter] of counters) {
    const counts = expected.get(id)?.counts ?? {};
    const right = partsOfCounter({ counts, lastClickedAt: clicks.get(nameOf(counter)) }, now);
    const stored = partsOfCounter(await wholeCounter(table, counter), now);
    for (const part of new Set([...right.keys(), ...stored.keys()])) {
      const found = { counter, part, stored: stored.get(part) ?? {}, right: right.get(part) ?? {} };
      if (!isDeepStrictEqual(found.stored, found.right)) wrong.set(`${id} ${part}`, found);
    }
    table.forget();
  }
  const program = expected.get(counterId({ of: 'program', programId }))?.counts ?? {};
  const shortLinks = [...counters.values()].map(nameOf).filter((name) => name !== '');
  return { days: eventDays(program), wrong, shortLinks };
}

const nameOf = (counter: Counter): string => (counter.of === 'link' ? counter.shortLink : '');

const MOST_LOST_RACES = 5;

/** Corrects parts of one counter as far as they are still as they were found. @returns those that are right now */
async function mend({ table, now }: OperatorDeps, wrongs: readonly Wrong[]): Promise<ReadonlySet<Wrong>> {
  const { counter } = wrongs[0]!;
  const mended = new Set<Wrong>();
  /** What each part must hold now: some of its fields may be corrected already. */
  const expected = new Map(wrongs.map((wrong) => [wrong, wrong.stored]));
  for (let lost = 0; expected.size > 0 && lost < MOST_LOST_RACES;) {
    table.forget();
    const read = await wholeCounter(table, counter);
    const stored = partsOfCounter(read, now);
    const corrections: (Correction & { readonly wrong: Wrong })[] = [];
    for (const [wrong, part] of expected) {
      const fields = wrongFields(part, wrong.right);
      if (fields.length === 0) mended.add(wrong);
      if (fields.length === 0 || !isDeepStrictEqual(stored.get(wrong.part) ?? {}, part)) expected.delete(wrong);
      else corrections.push(...fields.map((field) => ({ wrong, field, from: part[field], to: wrong.right[field] })));
    }
    const some = corrections.slice(0, MOST_FIELDS);
    if (some.length === 0) break;
    const values = corrected(read.item.counts, some);
    try {
      if (outgrows(read.item, values)) await moveCounts(table, counter, read.item);
      else {
        await correctCounter(table, counter, read.item, values);
        for (const { wrong, field, to } of some) {
          const { [field]: _, ...others } = expected.get(wrong)!;
          expected.set(wrong, to === undefined ? others : { ...others, [field]: to });
        }
      }
    } catch (error) {
      if (!(error instanceof ConditionFailed) && !isHeld(error)) throw error;
      lost += 1;
    }
  }
  return mended;
}
