import { setTimeout as pause } from 'node:timers/promises';
import { alwaysOvertaken } from '#lib/service/ground/values/refusals.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import { ConditionFailed, isCrossed, NamedItemMissing } from '#lib/service/ground/table/writes.ts';

const isLostRace = (error: unknown): error is Error => error instanceof ConditionFailed || isCrossed(error);

/** When to try again, and when no more. */
interface RetryLimits {
  readonly attempts: number;
  /** No attempt begins later than so long after the first one was lost. That one may have made what others find made. */
  readonly withinMs: number;
  /**
   * The longest first wait, or the time that the attempt itself took where that is more: those who lost to each other would
   * meet again within it. It doubles with each attempt; the wait is random between 0 and that, so that losers spread out.
   */
  readonly firstPauseMs: number;
  /** Longer only where an attempt itself takes longer. */
  readonly longestPauseMs: number;
}

/**
 * For requests, whose caller waits for the reply: some five seconds at most, of a function's ten. Fifty who change one thing at
 * once are done in half of that.
 */
const REQUEST_LIMITS: RetryLimits = { attempts: 24, withinMs: 5_000, firstPauseMs: 2, longestPauseMs: 500 };

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
  { table }: { readonly table: Table },
  decideAndWrite: () => Promise<T>,
  limits: RetryLimits = REQUEST_LIMITS,
): Promise<T> {
  let firstLostAtMs: number | undefined;
  for (let attempt = 1; ; attempt++) {
    const startedAtMs = performance.now();
    try {
      return await decideAndWrite();
    } catch (error) {
      if (!isLostRace(error)) throw error;
      const lostAtMs = performance.now();
      firstLostAtMs ??= lostAtMs;
      const waitMs = Math.random() * longestWaitMs(attempt, lostAtMs - startedAtMs, limits);
      if (attempt === limits.attempts || lostAtMs + waitMs - firstLostAtMs > limits.withinMs) throw afterLast(error);
      table.forget();
      await pause(waitMs);
    }
  }
}

/** The longest wait after an attempt. @param attempt 1 is the first @param tookMs how long it took */
export const longestWaitMs = (
  attempt: number,
  tookMs: number,
  { firstPauseMs, longestPauseMs }: Pick<RetryLimits, 'firstPauseMs' | 'longestPauseMs'>,
): number => Math.min(Math.max(longestPauseMs, tookMs), Math.max(firstPauseMs, tookMs) * 2 ** (attempt - 1));
