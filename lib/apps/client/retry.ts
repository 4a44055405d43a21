import { NetworkError, RateLimitError, ServerError } from '#lib/apps/client/referral-error.ts';

/** What may be gone when the call is sent again. */
type Passing = 'rate_limit' | 'network' | 'server';

/** When a call is sent again. */
export interface RetryPolicy {
  readonly after: readonly Passing[];
  /** The wait before each retry; there are as many retries. */
  readonly backoffMs: readonly number[];
  /** Each wait is lengthened by up to this share of it, so that callers who failed together do not return together. */
  readonly jitter: number;
  /** A call that would have to wait longer rejects at once. */
  readonly longestRetryAfterSeconds: number;
}

/** For calls that may safely arrive twice. */
export const idempotent: RetryPolicy = {
  after: ['rate_limit', 'network', 'server'],
  backoffMs: [500, 1_000],
  jitter: 0.25,
  longestRetryAfterSeconds: 60,
};

/** For calls that would record something twice: a refusal by the rate limit is the only sign that nothing was. */
export const notIdempotent: RetryPolicy = { ...idempotent, after: ['rate_limit'] };

/** Time and chance. */
export interface Timing {
  readonly sleep: (ms: number) => Promise<void>;
  /** From 0 to 1. */
  readonly random: () => number;
}

const real: Timing = {
  sleep: (ms) => new Promise((wake) => setTimeout(wake, ms)),
  random: () => Math.random(),
};

/**
 * @param call gets the number of retries before it
 * @param options.withinMs for all attempts and waits together: a wait that would not end by then is not begun
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

/** @returns undefined when the call is not to be sent again */
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
  // Without its commission the sale is recorded, and its id consumed: another call would only meet 409.
  if (error instanceof ServerError && error.reason !== 'commission_not_created') return 'server';
  return undefined;
}
