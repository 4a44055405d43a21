import { ApiError } from '#lib/apps/web/api/api-error.ts';

const DEFAULT_SECONDS = 60;

/**
 * Makes one of very many calls. If the service limits the rate, waits as long as it says and retries.
 * @throws ApiError any other error, or the rate limit error after the signal was aborted
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
