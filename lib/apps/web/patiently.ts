import { ApiError } from '#lib/apps/web/api-error.ts';

const DEFAULT_SECONDS = 60;

/**
 * Makes a call that is one of very many. When there were too many, it waits as long as the service says and makes it
 * again. @throws ApiError any other, or that one once the signal says that nobody waits any more
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
