import { createHash } from 'node:crypto';

const LINK_LIFETIME_MS = 5 * 60_000;
/** How long after its start a login's token can be fetched by the terminal. */
const PICK_UP_MS = 10 * 60_000;
/** How long logins are stored after their end, so that the terminal's requests are still answered with `expired`. */
const MEMORY_MS = 24 * 60 * 60_000;

/** A CLI login as stored in the table. Times are ISO 8601. */
export interface LoginSession {
  readonly status: 'pending' | 'complete' | 'consumed';
  readonly startedAt: string;
  /** Network address of the terminal without its last part. */
  readonly network?: string;
  /** The account that signed in; set with `complete`. */
  readonly accountId?: number;
  /** When the identity provider authenticated the person; set with `complete`. */
  readonly signedInAt?: string;
}

/**
 * The state of a login at a given time. `expired` is not stored; it follows from the time passed.
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

/** Letters and digits of a code, without those that are easily confused with others. */
const CODE_LETTERS = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';

/**
 * A code such as `ABCD-EFGH` that the terminal and the sign-in page both show, so that a person can compare them. It is
 * derived from the login's secret state, which it does not reveal.
 */
export function loginCode(state: string): string {
  const bytes = createHash('sha256').update(`code of ${state}`).digest().subarray(0, 8);
  const letters = [...bytes].map((byte) => CODE_LETTERS[byte % CODE_LETTERS.length]).join('');
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}
