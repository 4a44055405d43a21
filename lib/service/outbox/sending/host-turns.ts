import type { RateWindow } from '#lib/service/ground/values/rate-limits.ts';

/** Requests to one host in a second of the clock, of all programs together: nobody can flood a host of others. */
export const MOST_A_SECOND = 10;
/** However many ask for a host, each asks again after so long. */
const LONGEST_WAIT_SECONDS = 10;

/**
 * Whose requests are counted together: a host by its name, whatever the port. Not by its IP address, which many brands
 * share where a provider serves them.
 */
export const countedHostOf = (url: string): string => new URL(url).hostname;

/** What a sender gets that asked to send to a host. */
export interface HostTurns {
  /** How many requests it may make in this second. */
  readonly granted: number;
  /** When to ask for further ones, ISO 8601; absent while the second has some left. */
  readonly nextAt?: string;
}

/**
 * Shares out the requests of a second in the order in which senders asked. Those that came too late are told to come in
 * the seconds after it, in the same order.
 * @param askedByAll for requests in this second, with `asked` of this sender as the last of them
 */
export function turnsOf(asked: number, askedByAll: number, { startSeconds }: RateWindow): HostTurns {
  const granted = Math.min(asked, Math.max(0, MOST_A_SECOND - (askedByAll - asked)));
  if (askedByAll < MOST_A_SECOND) return { granted };
  const waitSeconds = Math.min(LONGEST_WAIT_SECONDS, Math.max(1, Math.ceil(askedByAll / MOST_A_SECOND) - 1));
  return { granted, nextAt: new Date((startSeconds + waitSeconds) * 1_000).toISOString() };
}
