import type { RateWindow } from '#lib/service/ground/values/rate-limits.ts';

/**
 * Maximum number of requests to one host per second, over all programs, so that no one can flood a host by the service.
 */
export const MOST_A_SECOND = 10;
/** The longest time that a sender waits before it asks again for requests to a host. */
const LONGEST_WAIT_SECONDS = 10;

/**
 * The host name under which requests are counted, regardless of the port. They are not counted by IP address, because
 * many brands may share the address of a hosting provider.
 */
export const countedHostOf = (url: string): string => new URL(url).hostname;

/** How many requests a sender may send to a host now. */
export interface HostTurns {
  /** Number of requests allowed in this second. */
  readonly granted: number;
  /** When the sender may ask again, ISO 8601; undefined if requests are left in this second. */
  readonly nextAt?: string;
}

/**
 * Decides how many of the requests that a sender asks for may be sent to the host in this second, and when the sender
 * may ask again. Senders that ask first are served first; the other requests wait for one of the following seconds.
 * @param askedByAll requests of all senders in this second, including `asked` of this sender
 */
export function turnsOf(asked: number, askedByAll: number, { startSeconds }: RateWindow): HostTurns {
  const granted = Math.min(asked, Math.max(0, MOST_A_SECOND - (askedByAll - asked)));
  if (askedByAll < MOST_A_SECOND) return { granted };
  const waitSeconds = Math.min(LONGEST_WAIT_SECONDS, Math.max(1, Math.ceil(askedByAll / MOST_A_SECOND) - 1));
  return { granted, nextAt: new Date((startSeconds + waitSeconds) * 1_000).toISOString() };
}
