import type { RateWindow } from '#lib/service/ground/values/rate-limits.ts';

/**
 * Maximum number of requests to one host per second, over all programs, so that the service cannot be used to flood a
 * host.
 */
export const MOST_A_SECOND = 10;
/** The longest time that a sender waits before it asks again. */
const LONGEST_WAIT_SECONDS = 10;

/**
 * The host name whose requests are counted together, regardless of the port. IP addresses are not used, because many
 * brands may share a provider's.
 */
export const countedHostOf = (url: string): string => new URL(url).hostname;

/** The answer to a sender that asks for requests to a host. */
export interface HostTurns {
  /** Number of requests allowed in this second. */
  readonly granted: number;
  /** When to ask again, ISO 8601; undefined if this second has requests left. */
  readonly nextAt?: string;
}

/**
 * Distributes the requests of a second in the order in which senders asked. The rest is spread over the following
 * seconds in the same order.
 * @param askedByAll requests of all senders in this second, including `asked` of this sender
 */
export function turnsOf(asked: number, askedByAll: number, { startSeconds }: RateWindow): HostTurns {
  const granted = Math.min(asked, Math.max(0, MOST_A_SECOND - (askedByAll - asked)));
  if (askedByAll < MOST_A_SECOND) return { granted };
  const waitSeconds = Math.min(LONGEST_WAIT_SECONDS, Math.max(1, Math.ceil(askedByAll / MOST_A_SECOND) - 1));
  return { granted, nextAt: new Date((startSeconds + waitSeconds) * 1_000).toISOString() };
}
