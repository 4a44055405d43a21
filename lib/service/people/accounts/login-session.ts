import { createHash } from 'node:crypto';

/** Lifetime of a login link. */
const LINK_LIFETIME_MS = 5 * 60_000;
/** A completed login may be polled this long after its start. */
const PICK_UP_MS = 10 * 60_000;
/** Sessions are kept this long, so that polls can still be answered `expired`. */
const MEMORY_MS = 24 * 60 * 60_000;

/** A CLI login, as the table holds it. Times are ISO 8601. */
export interface LoginSession {
  readonly status: 'pending' | 'complete' | 'consumed';
  readonly startedAt: string;
  /** Where the terminal is, without the address's last part. */
  readonly network?: string;
  /** Who signed in; set with `complete`. */
  readonly accountId?: number;
  /** When the issuer authenticated them; set with `complete`. */
  readonly signedInAt?: string;
}

/**
 * The state of a login at a moment. `expired` is not stored, it is time having passed.
 *
 *     pending ──callback──→ complete ──first poll──→ consumed
 *        └──5 minutes──→ expired ←──10 minutes──┘
 */
export type LoginState = LoginSession['status'] | 'expired';

export function loginStateAt({ status, startedAt }: LoginSession, now: Date): LoginState {
  const ageMs = now.getTime() - Date.parse(startedAt);
  if (status === 'pending' && ageMs > LINK_LIFETIME_MS) return 'expired';
  if (status === 'complete' && ageMs > PICK_UP_MS) return 'expired';
  return status;
}

export const linkExpiry = (startedAt: Date): Date => new Date(startedAt.getTime() + LINK_LIFETIME_MS);

export const forgottenAtSeconds = (startedAt: Date): number => Math.ceil((startedAt.getTime() + MEMORY_MS) / 1000);

/** Without letters and digits that look alike. */
const CODE_LETTERS = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';

/**
 * What a terminal and the page that signs it in both show, such as `ABCD-EFGH`, so that a person can compare them. It
 * follows from the login's secret state, which it does not reveal.
 */
export function loginCode(state: string): string {
  const bytes = createHash('sha256').update(`code of ${state}`).digest().subarray(0, 8);
  const letters = [...bytes].map((byte) => CODE_LETTERS[byte % CODE_LETTERS.length]).join('');
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}
