import { setTimeout as pause } from 'node:timers/promises';
import { BATCH_WINDOW_SECONDS } from '#lib/service/ground/config/table-definition.ts';
import { haveProbesPassed, PROBES, sendProbes } from '#lib/service/ground/counters/probes-items.ts';
import type { OperatorDeps } from '#lib/service/ground/effects/deps.ts';

/**
 * How long to wait between two checks of the probes. This is longer than a stream record waits for its batch, and than
 * an item waits for its index entry.
 */
const WAIT_MS = 2_000 * BATCH_WINDOW_SECONDS;
/** The maximum number of waits: two minutes in total. If it takes longer, the consumer of the stream is late. */
const MOST_WAITS = 12;

/** How a rebuild finds out that the counters include everything that was written before. */
export interface CatchingUp {
  /** Waits between two checks. */
  readonly wait: () => Promise<unknown>;
  /** Number of probes, enough that every shard of the stream gets one. */
  readonly probes: number;
}

/**
 * Thrown if the consumer of the stream is late. A rebuild must not correct counters by events that the consumer has not
 * counted yet, because they would be counted twice.
 */
export class CountersLate extends Error {
  constructor() {
    super(
      'The counters are late, so nothing more was changed. Repeat the command when the alarm CountersLate is over: ' +
        'it continues where it was',
    );
  }
}

/** Waits until everything that was written before the call is counted, or has finally failed. @throws CountersLate */
export type UntilCounted = () => Promise<void>;

/**
 * Waits by means of probes. Only one set of probes is in use at a time, and all rebuilds that wait meanwhile share the
 * next set. So the number of probes depends on how long the rebuilds take, not on how many programs there are.
 */
export function sharedProbes(
  deps: OperatorDeps,
  { wait = () => pause(WAIT_MS), probes = PROBES }: Partial<CatchingUp> = {},
): UntilCounted {
  let current: Promise<unknown> = Promise.resolve();
  let next: Promise<void> | undefined;
  return () => {
    if (next) return next;
    const run = current.then(() => {
      next = undefined;
      return untilCounted(deps, { wait, probes });
    });
    // If a set of probes fails, those who wait for a later set must not get its error.
    current = run.catch(() => undefined);
    next = run;
    return run;
  };
}

async function untilCounted({ table, now, random }: OperatorDeps, { wait, probes }: CatchingUp): Promise<void> {
  const run = random.probeRun();
  await sendProbes(table, run, probes, now);
  for (let waits = 0; waits < MOST_WAITS; waits++) {
    await wait();
    if (await haveProbesPassed(table, run, probes)) return;
  }
  throw new CountersLate();
}
