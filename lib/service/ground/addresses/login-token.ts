import { DAY_MS } from '#lib/service/ground/values/day.ts';
import { dayOf } from '#lib/service/ground/values/day.ts';

/** What a login token was made for: a terminal, or the pages. */
export type LoginKind = 'cli' | 'dashboard';

/** How a person recognizes one of their sign-ins. */
export interface Device {
  readonly kind: LoginKind;
  /** Without its last part. */
  readonly address?: string;
  /** Such as `Firefox on Windows`. */
  readonly browser?: string;
  /** Such as `Lisbon, Portugal`, where the edge tells it. */
  readonly place?: string;
}

/** Days for which a login token is valid at most. */
export const LOGIN_TOKEN_DAYS = 90;
/** Days after which a token of the pages ends when it is not used. */
const IDLE_DAYS = 14;
/** Live tokens of an account. */
export const MOST_TOKENS = 20;

/**
 * When a token ends unless it is used again. The day of the last use counts as a whole, because uses are noted once a
 * day: a token never ends within 14 days of its use, and may end up to a day later.
 * @param lastUsedOn a day, `YYYY-MM-DD`
 */
export function tokenEnd(kind: LoginKind, createdAt: Date, lastUsedOn = dayOf(createdAt)): Date {
  // Items expire at whole seconds: otherwise the token would be valid for a moment after its stated end.
  const wholeSecondMs = Math.ceil(createdAt.getTime() / 1_000) * 1_000;
  const endMs = wholeSecondMs + LOGIN_TOKEN_DAYS * DAY_MS;
  const idleEndMs = Date.parse(lastUsedOn) + (IDLE_DAYS + 1) * DAY_MS;
  return new Date(kind === 'cli' ? endMs : Math.min(endMs, idleEndMs));
}

interface Used {
  readonly createdAt: string;
  readonly lastUsedOn: string;
}

/** Those that have to end so that there is room for another one: the ones that were unused longest. */
export const tokensToEnd = <Token extends Used>(live: readonly Token[]): Token[] =>
  live.toSorted((a, b) => (lastUse(a) < lastUse(b) ? -1 : 1)).slice(0, Math.max(0, live.length - MOST_TOKENS + 1));

const lastUse = ({ lastUsedOn, createdAt }: Used): string => `${lastUsedOn} ${createdAt}`;

const MINUTE_MS = 60_000;

/** How long after a sign-in a person may do what somebody else's session must be of no use for. */
export const FRESH_SIGN_IN_MS = 15 * MINUTE_MS;

/** @param signedInAt when the issuer authenticated the person, ISO 8601 */
export const isRecentSignIn = (signedInAt: string, now: Date, withinMs: number): boolean =>
  now.getTime() - Date.parse(signedInAt) <= withinMs;

/** A network address without the part that identifies a household: `1.2.3.x`, `2001:db8:7:x`. */
export function coarseAddress(address: string): string | undefined {
  const v4 = /(?:^|:)(\d+\.\d+\.\d+)\.\d+$/.exec(address)?.[1];
  if (v4) return `${v4}.x`;
  if (!address.includes(':')) return undefined;
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  // `::` replaces the missing zeros.
  const first = tail === undefined ? groups : [...groups, '0', '0', '0'];
  return `${first.slice(0, 3).join(':')}:x`;
}
