import { setTimeout as pause } from 'node:timers/promises';

/** Attempts at one call before its failure is the caller's. */
export const MOST_ATTEMPTS = 5;

/** Waits before the next attempt: at random, so that those who collided do not collide again. */
export const backoff = (attempt: number): Promise<void> => pause(Math.random() * 25 * 2 ** attempt);
