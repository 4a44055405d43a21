import { NetworkError, RateLimitError, ServerError } from '#lib/apps/client/errors/referral-error.ts';

/** Kinds of failures that may have passed by the time of a retry. */
type Passing = 'rate_limit' | 'network' | 'server';

/** When and how often a call is retried. */
export interface RetryPolicy {
  readonly after: readonly Passing[];
  /** Wait before each retry; its length is the number of retries. */
  readonly backoffMs: readonly number[];
  /** Each wait is extended by up to this fraction, so that callers who failed together do not retry together. */
  readonly jitter: number;
  /** Maximum wait. A call that would have to wait longer rejects at once. */
  readonly longestRetryAfterSeconds: number;
}

/** The policy for calls that may safely arrive twice. */
export const idempotent: RetryPolicy = {
  after: ['rate_limit', 'network', 'server'],
  backoffMs: [500, 1_000],
  jitter: 0.25,
  longestRetryAfterSeconds: 60,
};

/**
 * The policy for calls that would record something twice: only a rate limit error guarantees that nothing was recorded.
 */
export const notIdempotent: RetryPolicy = { ...idempotent, after: ['rate_limit'] };

/** Sources of time and randomness. */
export interface Timing {
  readonly sleep: (ms: number) => Promise<void>;
  /** A random number from 0 to 1. */
  readonly random: () => number;
}

const real: Timing = {
  sleep: (ms) => new Promise((wake) => setTimeout(wake, ms)),
  random: () => Math.random(),
};

/**
 * Makes a call, and retries it as its policy allows.
 * @param call receives the number of retries before it
 * @param options.withinMs limit for all attempts and waits together; a wait that would exceed it is not started
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

/** The wait before the next retry in milliseconds. @returns undefined if the call must not be retried */
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
  // The sale was recorded without its commission and its id is used, so a retry would only get 409.
  if (error instanceof ServerError && error.reason !== 'commission_not_created') return 'server';
  return undefined;
}
