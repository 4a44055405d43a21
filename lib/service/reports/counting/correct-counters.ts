import { isDeepStrictEqual } from 'node:util';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type Correction,
  corrected,
  type Part,
  type PartName,
  partsOfCounter,
  wrongFields,
} from '#lib/service/ground/counters/counter-parts.ts';
import { type Counter, counterId, type Counts } from '#lib/service/ground/counters/counter.ts';
import { BATCH_WINDOW_SECONDS } from '#lib/service/ground/config/table-definition.ts';
import type { OperatorDeps } from '#lib/service/ground/effects/deps.ts';
import { wholeCounter } from '#lib/service/ground/counters/counter-readings-items.ts';
import { correctCounter, MOST_FIELDS, moveCounts, outgrows } from '#lib/service/ground/counters/counters-items.ts';
import { haveProbesPassed, PROBES, sendProbes } from '#lib/service/ground/counters/probes-items.ts';
import { ConditionFailed, isHeld } from '#lib/service/ground/table/writes.ts';

/** A part of a counter that differs from the events. */
export interface Wrong {
  readonly counter: Counter;
  readonly part: PartName;
  readonly stored: Part;
  readonly right: Part;
}

/** Wrong parts of counters. The key contains the counter and the part. */
export type WrongParts = ReadonlyMap<string, Wrong>;

/** The correct parts of a counter, computed from the events. */
export interface Expected {
  readonly counter: Counter;
  readonly counts: Counts;
  readonly lastClickedAt?: string;
}

/** Returns the parts in which a counter differs from the events. */
export async function wrongPartsOf(
  { table, now }: OperatorDeps,
  { counter, ...expected }: Expected,
): Promise<[string, Wrong][]> {
  const right = partsOfCounter(counter, expected, now);
  const stored = partsOfCounter(counter, await wholeCounter(table, counter), now);
  return [...new Set([...right.keys(), ...stored.keys()])]
    .map((part) => ({ counter, part, stored: stored.get(part) ?? {}, right: right.get(part) ?? {} }))
    .filter((found) => !isDeepStrictEqual(found.stored, found.right))
    .map((found) => [`${counterId(counter)} ${found.part}`, found]);
}

/** The wait between two checks of the probes: longer than a record waits for its batch and its index entry. */
const WAIT_MS = 2_000 * BATCH_WINDOW_SECONDS;
/** Maximum waits, together two minutes. A consumer that is slower is considered late. */
const MOST_WAITS = 12;
const MOST_ROUNDS = 10;
/** Number of counters corrected at a time. */
const AT_ONCE = 50;

/** How a rebuild waits until the counters include all events. */
export interface CatchingUp {
  /** Waits between two checks. */
  readonly wait: () => Promise<unknown>;
  /** The number of probes, large enough for every shard of the stream to get one. */
  readonly probes: number;
}

const catchingUp: CatchingUp = { wait: () => pause(WAIT_MS), probes: PROBES };

/**
 * Corrects differences on which two recounts agree. Between them, the stream's consumer must process everything that
 * the first recount may have found: a late event must not be added here, because the consumer also counts it.
 * @param first differences found by the first recount
 * @param recount finds the current differences
 * @throws Error if the counters are late or keep changing
 */
export async function correctCounters(
  deps: OperatorDeps,
  programId: number,
  first: WrongParts,
  recount: (before: WrongParts) => Promise<WrongParts>,
  how: Partial<CatchingUp>,
): Promise<void> {
  let before = first;
  for (let round = 1; before.size > 0; round++) {
    if (round > MOST_ROUNDS)
      throw new Error(`Counters of program ${programId} are in motion: repeat at a quieter time`);
    await untilCounted(deps, programId, { ...catchingUp, ...how });
    const now = new Map(await recount(before));
    const unchanged = [...now].filter(([name, wrong]) => isDeepStrictEqual(wrong, before.get(name)));
    const ofCounters = [...Map.groupBy(unchanged, ([, { counter }]) => counterId(counter)).values()];
    for (let at = 0; at < ofCounters.length; at += AT_ONCE) {
      const mended = await Promise.all(
        ofCounters.slice(at, at + AT_ONCE).map((named) =>
          mend(
            deps,
            named.map(([, wrong]) => wrong),
          ),
        ),
      );
      const right = new Set(mended.flatMap((wrongs) => [...wrongs]));
      for (const [name, wrong] of unchanged) if (right.has(wrong)) now.delete(name);
    }
    before = now;
  }
}

/** Waits until everything written so far has been counted or has finally failed. @throws Error if it takes too long */
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

const MOST_LOST_RACES = 5;

/**
 * Corrects parts of one counter, if they have not changed since they were found.
 * @returns the parts that are correct now
 */
async function mend({ table, now }: OperatorDeps, wrongs: readonly Wrong[]): Promise<ReadonlySet<Wrong>> {
  const { counter } = wrongs[0]!;
  const mended = new Set<Wrong>();
  /** The present contents of each part. Some fields may have been corrected since the recount. */
  const expected = new Map(wrongs.map((wrong) => [wrong, wrong.stored]));
  for (let lost = 0; expected.size > 0 && lost < MOST_LOST_RACES;) {
    table.forget();
    const read = await wholeCounter(table, counter);
    const stored = partsOfCounter(counter, read, now);
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
