import { setTimeout as pause } from 'node:timers/promises';
import { alwaysOvertaken } from '#lib/domain/refusals.ts';
import type { Deps } from '#lib/service/deps.ts';
import { ConditionFailed, isCrossed, NamedItemMissing } from '#lib/service/store/writes.ts';

const isLostRace = (error: unknown): error is Error => error instanceof ConditionFailed || isCrossed(error);

/** Number of attempts, and waits between them. */
interface RetryLimits {
  readonly attempts: number;
  /** Doubles with each attempt; the wait is random between 0 and that, so that losers spread out. */
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
}

/**
 * For requests, whose caller waits for the reply: some four seconds, of a function's ten. Fifty who change one thing at
 * once are done in half of that.
 */
const REQUEST_LIMITS: RetryLimits = { attempts: 24, firstPauseMs: 2, longestPauseMs: 500 };

/** After that, those who are left come again. */
const COME_AGAIN_SECONDS = 1;

/** What is missing in every read was lost, which no other request did: the service fails. */
const afterLast = (error: Error): Error =>
  error instanceof NamedItemMissing ? error : alwaysOvertaken(COME_AGAIN_SECONDS, error);

/**
 * Decides and writes until no condition fails. A lost race has written nothing: everything is read again and decided
 * again.
 * @throws Refusal when others are faster every time: it may be sent again
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
      if (!isLostRace(error)) throw error;
      if (attempt === attempts) throw afterLast(error);
      table.forget();
      await pause(Math.random() * Math.min(longestPauseMs, firstPauseMs * 2 ** (attempt - 1)));
    }
  }
}
