import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { argv, env, exit } from 'node:process';
import { type Chance, chanceOf } from '#test/soak/support/chance.ts';

/** One part of the soak: what it is given. */
export interface Part {
  readonly chance: Chance;
  readonly seed: number;
  /** How much of something: in full, or in the short form. */
  readonly size: (full: number, short: number) => number;
  /** A folder of the part's own, which is removed with it. */
  readonly folder: string;
  /** Called when the part ends, however it ends; the latest one first. */
  readonly atEnd: (close: () => unknown) => void;
  /** Asked when the part fails: what else may explain it. */
  readonly atFailure: (tell: () => string) => void;
}

/** What a part did and found, by what it is called. */
export type Findings = Readonly<Record<string, number | string>>;

/** Counts bound every part; this ends one that hangs, however busy the machine is. */
const LONGEST_MS = 30 * 60_000;

/**
 * Runs a part as a script of its own: prints what it did and found, or the first violation with the seed that makes the
 * same choices again, and ends the process with 1. What is left to chance beyond the seed is who is faster.
 */
export async function soak(run: (part: Part) => Promise<Findings>): Promise<void> {
  const name = basename(argv[1]!, '.ts');
  const isShort = argv.includes('--short');
  const seed = Number(env.SEED || randomInt(1_000_000_000));
  const folder = await mkdtemp(join(tmpdir(), 'soak-'));
  const closings: (() => unknown)[] = [];
  const witnesses: (() => string)[] = [];
  const startedAt = performance.now();
  const seconds = () => ((performance.now() - startedAt) / 1_000).toFixed(1);

  async function end(code: number): Promise<never> {
    for (const close of closings.splice(0).toReversed()) await close();
    await rm(folder, { recursive: true, force: true });
    exit(code);
  }
  async function fail(error: unknown): Promise<never> {
    console.error(`✖ ${name}, after ${seconds()} s: ${told(error)}`);
    for (const tell of witnesses) console.error(tell());
    console.error(`  To make the same choices again: SEED=${seed} npm run soak -- ${name}${isShort ? ' --short' : ''}`);
    return end(1);
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void end(130));
  setTimeout(() => void fail(new Violation(`not through after ${LONGEST_MS / 60_000} minutes`)), LONGEST_MS).unref();

  console.log(`▶ ${name}, SEED=${seed}${isShort ? ', short' : ''}`);
  try {
    const findings = await run({
      chance: chanceOf(`${seed} ${name}`),
      seed,
      size: (full, short) => (isShort ? short : full),
      folder,
      atEnd: (close) => void closings.push(close),
      atFailure: (tell) => void witnesses.push(tell),
    });
    for (const [what, found] of Object.entries(findings)) console.log(`  ${what}: ${found}`);
    console.log(`✔ ${name}, ${seconds()} s`);
  } catch (error) {
    await fail(error);
  }
  await end(0);
}

/** The service broke a promise. */
class Violation extends Error {}

/** Ends the part. @param what is the case, against the promise */
export function violated(what: string): never {
  throw new Violation(what);
}

/** Ends the part unless the condition holds. @param otherwise what is the case instead */
export function hold(condition: unknown, otherwise: string): asserts condition {
  if (!condition) violated(otherwise);
}

const told = (error: unknown): string => {
  if (error instanceof Violation) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
};
