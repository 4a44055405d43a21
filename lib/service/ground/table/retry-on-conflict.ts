import { setTimeout as pause } from 'node:timers/promises';
import { alwaysOvertaken } from '#lib/service/ground/values/refusals.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import { ConditionFailed, isCrossed, NamedItemMissing } from '#lib/service/ground/table/writes.ts';

const isLostRace = (error: unknown): error is Error => error instanceof ConditionFailed || isCrossed(error);

/**
 * Limits for the retries of a request that lost a race: its conditional write failed because another request was
 * faster.
 */
interface RetryLimits {
  readonly attempts: number;
  /**
   * No attempt starts later than this after the first lost race. The first attempt itself is not counted: it may be
   * slow, because it loads code that later attempts reuse.
   */
  readonly withinMs: number;
  /**
   * The maximum first wait, or the duration of the attempt if that is longer: requests that lost the same race would
   * otherwise collide again. This limit doubles with each attempt. The actual wait is random between 0 and the limit,
   * so that these requests spread out.
   */
  readonly firstPauseMs: number;
  /** Upper limit of a wait, unless the attempt itself takes longer. */
  readonly longestPauseMs: number;
}

/**
 * Limits for a request whose caller waits. They use at most about five of the ten seconds that the function has. Fifty
 * concurrent changes of one item complete in half of that.
 */
const REQUEST_LIMITS: RetryLimits = { attempts: 24, withinMs: 5_000, firstPauseMs: 2, longestPauseMs: 500 };

/** After how many seconds callers are asked to retry if the last attempt has failed. */
const RETRY_LATER_SECONDS = 1;

/**
 * The error after the last attempt. If a named item was missing in every attempt, other requests are not the cause, but
 * the data is inconsistent. The request then fails with 500.
 */
const afterLast = (error: Error): Error =>
  error instanceof NamedItemMissing ? error : alwaysOvertaken(RETRY_LATER_SECONDS, error);

/**
 * Calls a function that reads, decides and writes, and repeats it until no condition fails. A failed condition means
 * that nothing was written, so everything can be read and decided again.
 * @throws Refusal if the last attempt fails too; the caller may retry
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

/** The maximum wait after an attempt. @param attempt 1 for the first @param tookMs duration of the attempt */
export const longestWaitMs = (
  attempt: number,
  tookMs: number,
  { firstPauseMs, longestPauseMs }: Pick<RetryLimits, 'firstPauseMs' | 'longestPauseMs'>,
): number => Math.min(Math.max(longestPauseMs, tookMs), Math.max(firstPauseMs, tookMs) * 2 ** (attempt - 1));
