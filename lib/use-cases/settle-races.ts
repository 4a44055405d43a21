import { setTimeout as pause } from 'node:timers/promises';
import type { Deps } from '#lib/deps.ts';
import { ConditionFailed } from '#lib/store/writes.ts';

const MOST_ATTEMPTS = 12;
const LONGEST_PAUSE_MS = 200;

/**
 * Decides and writes until the write meets the table as the decision saw it. A lost race means that a condition
 * failed and nothing was written: everything is read afresh and decided again.
 */
export async function settleRaces<T>({ table }: Pick<Deps, 'table'>, decideAndWrite: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await decideAndWrite();
    } catch (error) {
      if (!(error instanceof ConditionFailed) || attempt === MOST_ATTEMPTS) throw error;
      table.forget();
      await pause(Math.random() * Math.min(LONGEST_PAUSE_MS, 2 ** attempt));
    }
  }
}
