import { setTimeout as pause } from 'node:timers/promises';
import type { Deps } from '#lib/service/deps.ts';
import { ConditionFailed } from '#lib/service/store/writes.ts';

/** Number of attempts, and waits between them. */
interface RetryLimits {
  readonly attempts: number;
  /** Doubles with each attempt; the wait is random between 0 and that, so that losers spread out. */
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
}

/** For requests, whose caller waits for the reply. */
const REQUEST_LIMITS: RetryLimits = { attempts: 12, firstPauseMs: 2, longestPauseMs: 200 };

/**
 * Decides and writes until no condition fails. A lost race has written nothing: everything is read again and decided
 * again.
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
