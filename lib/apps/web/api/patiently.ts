import { ApiError } from '#lib/apps/web/api/api-error.ts';

const DEFAULT_SECONDS = 60;

/**
 * Makes one of very many calls. If the service replies that its rate limit is reached, waits as long as the reply says
 * and tries again.
 * @throws ApiError for any other error, and for the rate limit if the signal was aborted
 */
export async function patiently<T>(call: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 429) throw error;
      await pause(error.retryAfterSeconds ?? DEFAULT_SECONDS, signal);
      if (signal.aborted) throw error;
    }
  }
}

const pause = (seconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(resolve, seconds * 1000);
    return signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
