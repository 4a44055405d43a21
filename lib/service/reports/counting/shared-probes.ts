import { setTimeout as pause } from 'node:timers/promises';
import { BATCH_WINDOW_SECONDS } from '#lib/service/ground/config/table-definition.ts';
import { haveProbesPassed, PROBES, sendProbes } from '#lib/service/ground/counters/probes-items.ts';
import type { OperatorDeps } from '#lib/service/ground/effects/deps.ts';

/** Wait between two checks of the probes. Longer than a record waits for its batch, and an item for its index entry. */
const WAIT_MS = 2_000 * BATCH_WINDOW_SECONDS;
/** Two minutes; a consumer slower than that is considered late. */
const MOST_WAITS = 12;

/** How a rebuild detects that the counters have caught up with the events. */
export interface CatchingUp {
  /** Waits between two checks. */
  readonly wait: () => Promise<unknown>;
  /** Number of probes, enough for every shard of the stream to get one. */
  readonly probes: number;
}

/** The stream's consumer is behind. A rebuild must not add events that it will still count. */
export class CountersLate extends Error {
  constructor() {
    super(
      'The counters are late, so nothing more was changed. Repeat the command when the alarm CountersLate is over: ' +
        'it continues where it was',
    );
  }
}

/** Waits until everything written before the call is counted or has finally failed. @throws CountersLate */
export type UntilCounted = () => Promise<void>;

/**
 * Waits by means of probes. One set is under way at a time, and all who ask meanwhile share the next one, so the number
 * of probes depends on the time that a rebuild takes, not on the number of programs.
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
    // A set that fails must not fail those who wait for a later one.
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
