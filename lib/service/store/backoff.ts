import { setTimeout as pause } from 'node:timers/promises';

/** Attempts at one call before its failure is the caller's. */
export const MOST_ATTEMPTS = 5;

/** Waits before the next attempt: at random, so that those who collided do not collide again. */
export const backoff = (attempt: number): Promise<void> => pause(Math.random() * 25 * 2 ** attempt);

/**
 * Makes an attempt again while its failure may pass by itself.
 * @param mayPass whether nothing was written, and the same attempt may succeed
 * @throws the failure as it is when it lasts
 */
export async function retried<T>(attempt: () => Promise<T>, mayPass: (error: unknown) => boolean): Promise<T> {
  for (let made = 1; ; made++) {
    try {
      return await attempt();
    } catch (error) {
      if (made === MOST_ATTEMPTS || !mayPass(error)) throw error;
      await backoff(made);
    }
  }
}
