import { NetworkError, RateLimitError, ServerError } from '#lib/apps/client/errors/referral-error.ts';

/** Kinds of failures after which a later attempt may succeed. */
type Passing = 'rate_limit' | 'network' | 'server';

/** When and how often a call is retried. */
export interface RetryPolicy {
  readonly after: readonly Passing[];
  /** Waiting times before the retries, in order. There are as many retries as waiting times. */
  readonly backoffMs: readonly number[];
  /**
   * The maximum fraction by which each waiting time is extended at random, so that callers whose calls failed together
   * do not all retry together.
   */
  readonly jitter: number;
  /**
   * The longest time that a call waits if the service tells it to wait. If the service requires more, the call fails at
   * once.
   */
  readonly longestRetryAfterSeconds: number;
}

/** The policy for calls that have the same effect if they arrive twice. */
export const idempotent: RetryPolicy = {
  after: ['rate_limit', 'network', 'server'],
  backoffMs: [500, 1_000],
  jitter: 0.25,
  longestRetryAfterSeconds: 60,
};

/**
 * The policy for calls that would be recorded twice if they arrived twice. They are retried only after a rate limit
 * error, which guarantees that nothing was recorded.
 */
export const notIdempotent: RetryPolicy = { ...idempotent, after: ['rate_limit'] };

/** How retries wait, and how they get random numbers. */
export interface Timing {
  readonly sleep: (ms: number) => Promise<void>;
  /** Returns a random number from 0 to 1. */
  readonly random: () => number;
}

const real: Timing = {
  sleep: (ms) => new Promise((wake) => setTimeout(wake, ms)),
  random: () => Math.random(),
};

/**
 * Makes a call, and retries it as the policy allows.
 * @param call receives the number of retries before this attempt
 * @param options.withinMs limit for all attempts and waits together; if a wait would exceed it, the call fails at once
 */
export async function withRetries<Reply>(
  policy: RetryPolicy,
  call: (retries: number) => Promise<Reply>,
  { sleep = real.sleep, random = real.random, withinMs = Infinity }: Partial<Timing> & { withinMs?: number } = {},
): Promise<Reply> {
  const startedAtMs = performance.now();
  for (let retries = 0; ; retries++) {
    try {
      return await call(retries);
    } catch (error) {
      const waitMs = waitBeforeRetryMs(policy, error, retries, random());
      if (waitMs === undefined || performance.now() - startedAtMs + waitMs >= withinMs) throw error;
      await sleep(waitMs);
    }
  }
}

/** How long to wait before the next retry, in milliseconds. @returns undefined if the call must not be retried */
function waitBeforeRetryMs(
  { after, backoffMs, jitter, longestRetryAfterSeconds }: RetryPolicy,
  error: unknown,
  retries: number,
  random: number,
): number | undefined {
  const passing = passingIn(error);
  const backoff = backoffMs[retries];
  if (backoff === undefined || passing === undefined || !after.includes(passing)) return undefined;
  const told = error instanceof RateLimitError ? error.retryAfterSeconds : undefined;
  if (told !== undefined) return told > longestRetryAfterSeconds ? undefined : told * 1_000;
  return backoff * (1 + jitter * random);
}

function passingIn(error: unknown): Passing | undefined {
  if (error instanceof RateLimitError) return 'rate_limit';
  if (error instanceof NetworkError) return 'network';
  // After this error, a retry would only be refused with 409: the sale is already recorded under its id, without a
  // commission.
  if (error instanceof ServerError && error.reason !== 'commission_not_created') return 'server';
  return undefined;
}
