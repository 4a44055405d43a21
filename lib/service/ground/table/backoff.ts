import { setTimeout as pause } from 'node:timers/promises';

/** How often a call is attempted before its failure is thrown. */
export const MOST_ATTEMPTS = 5;

/** Waits a random time before the next attempt, so that calls that collided do not collide again. */
export const backoff = (attempt: number): Promise<void> => pause(Math.random() * 25 * 2 ** attempt);

/**
 * Retries while the failure may be transient.
 * @param mayPass says of an error whether nothing was written and a retry may succeed
 * @throws the last failure unchanged
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
