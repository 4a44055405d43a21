import { randomInt } from 'node:crypto';
import { basename } from 'node:path';
import { argv, env } from 'node:process';
import { runInScope, type Scope } from '#test/live/scope.ts';
import { type Chance, chanceOf } from '#infra/local/demo/chance.ts';

/** The input of one part of the soak. */
export interface Part extends Scope {
  readonly chance: Chance;
  readonly seed: number;
  /** Returns an amount: for a full run, or for a short one. */
  readonly size: (full: number, short: number) => number;
}

const full: Part['size'] = (inFull) => inFull;
const short: Part['size'] = (_, inShort) => inShort;

/** A part's results by name. */
export type Findings = Readonly<Record<string, number | string>>;

/**
 * Runs a part as a separate script: prints its results, or the first violation with the seed that repeats the choices,
 * and ends the process with 1. Only timing is random beyond the seed.
 */
export async function soak(run: (part: Part) => Promise<Findings>): Promise<void> {
  const name = basename(argv[1]!, '.ts');
  const isShort = argv.includes('--short');
  const seed = Number(env.SEED || randomInt(1_000_000_000));
  const startedAt = performance.now();
  const seconds = () => ((performance.now() - startedAt) / 1_000).toFixed(1);

  console.log(`▶ ${name}, SEED=${seed}${isShort ? ', short' : ''}`);
  await runInScope(
    'soak',
    async (scope) => {
      const findings = await run({ ...scope, chance: chanceOf(`${seed} ${name}`), seed, size: isShort ? short : full });
      for (const [what, found] of Object.entries(findings)) console.log(`  ${what}: ${found}`);
      console.log(`✔ ${name}, ${seconds()} s`);
    },
    (what) => {
      console.error(`✖ ${name}, after ${seconds()} s: ${what}`);
      console.error(
        `  To make the same choices again: SEED=${seed} npm run soak -- ${name}${isShort ? ' --short' : ''}`,
      );
    },
  );
}
