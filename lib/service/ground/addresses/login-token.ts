import { DAY_MS } from '#lib/service/ground/values/day.ts';
import { dayOf } from '#lib/service/ground/values/day.ts';

/** Where a login token is used: a terminal (`cli`) or the web pages. */
export type LoginKind = 'cli' | 'dashboard';

/** Details that people see in the list of their sign-ins, to recognise each of them. */
export interface Device {
  readonly kind: LoginKind;
  /** The network address without its last part. */
  readonly address?: string;
  /** The browser in words, for example `Firefox on Windows`. */
  readonly browser?: string;
  /** The location in words, for example `Lisbon, Portugal`; undefined if CloudFront does not supply it. */
  readonly place?: string;
}

/** Maximum lifetime of a login token in days. */
export const LOGIN_TOKEN_DAYS = 90;
/** Days of disuse after which a web token expires. */
const IDLE_DAYS = 14;
/** Maximum number of live tokens per account. */
export const MOST_TOKENS = 20;

/**
 * When a token expires if it is not used again. Only the day of the last use is recorded, and the end of that day
 * counts. So a token never expires within 14 days of its last use, but may last up to a day longer.
 * @param lastUsedOn a day, `YYYY-MM-DD`
 */
export function tokenEnd(kind: LoginKind, createdAt: Date, lastUsedOn = dayOf(createdAt)): Date {
  // DynamoDB expires items at whole seconds. Without rounding, a token would stay valid briefly after its stated
  // expiry.
  const wholeSecondMs = Math.ceil(createdAt.getTime() / 1_000) * 1_000;
  const endMs = wholeSecondMs + LOGIN_TOKEN_DAYS * DAY_MS;
  const idleEndMs = Date.parse(lastUsedOn) + (IDLE_DAYS + 1) * DAY_MS;
  return new Date(kind === 'cli' ? endMs : Math.min(endMs, idleEndMs));
}

interface Used {
  readonly createdAt: string;
  readonly lastUsedOn: string;
}

/** The least recently used tokens, which must be removed to make room for a new one. */
export const tokensToEnd = <Token extends Used>(live: readonly Token[]): Token[] =>
  live.toSorted((a, b) => (lastUse(a) < lastUse(b) ? -1 : 1)).slice(0, Math.max(0, live.length - MOST_TOKENS + 1));

const lastUse = ({ lastUsedOn, createdAt }: Used): string => `${lastUsedOn} ${createdAt}`;

const MINUTE_MS = 60_000;

/** Maximum age of a sign-in for sensitive actions, so that a stolen older session cannot perform them. */
export const FRESH_SIGN_IN_MS = 15 * MINUTE_MS;

/**
 * Whether a sign-in is recent enough for an action.
 * @param signedInAt when the identity provider authenticated the person, ISO 8601
 */
export const isRecentSignIn = (signedInAt: string, now: Date, withinMs: number): boolean =>
  now.getTime() - Date.parse(signedInAt) <= withinMs;

/** A network address without the part that identifies a household: `1.2.3.x`, `2001:db8:7:x`. */
export function coarseAddress(address: string): string | undefined {
  const v4 = /(?:^|:)(\d+\.\d+\.\d+)\.\d+$/.exec(address)?.[1];
  if (v4) return `${v4}.x`;
  if (!address.includes(':')) return undefined;
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  // `::` represents the omitted zero groups.
  const first = tail === undefined ? groups : [...groups, '0', '0', '0'];
  return `${first.slice(0, 3).join(':')}:x`;
}
