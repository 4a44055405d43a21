import { setTimeout as pause } from 'node:timers/promises';
import type { Deps } from '#lib/service/deps.ts';
import { ConditionFailed } from '#lib/service/store/writes.ts';

/** How often a race is run again, and how long is waited before. */
interface RetryLimits {
  readonly attempts: number;
  /** Doubles with each attempt, and is taken at random between 0 and that: losers must not meet again. */
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
}

/** Somebody waits for the reply. */
const REQUEST_LIMITS: RetryLimits = { attempts: 12, firstPauseMs: 2, longestPauseMs: 200 };

/**
 * Decides and writes until the write meets the table as the decision saw it. A lost race means that a condition
 * failed and nothing was written: everything is read afresh and decided again.
 */
export async function retryOnConflict<T>(
  { table }: Pick<Deps, 'table'>,
  decideAndWrite: () => Promise<T>,
  { attempts, firstPauseMs, longestPauseMs }: RetryLimits = REQUEST_LIMITS,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await decideAndWrite();
    } catch (error) {
      if (!(error instanceof ConditionFailed) || attempt === attempts) throw error;
      table.forget();
      await pause(Math.random() * Math.min(longestPauseMs, firstPauseMs * 2 ** (attempt - 1)));
    }
  }
}
