import type { LoginKind } from '#lib/service/ground/addresses/login-token.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

/** A verified `id_token`. */
export interface IdToken {
  readonly hash: string;
  /** Expiry of the token, after which its verification fails anyway. */
  readonly endsAtSeconds: number;
}

/** Marks an `id_token` as used for one kind of session. Race: if two sign-ins use the token, the loser is refused. */
export const usedIdTokenWrite = (kind: LoginKind, { hash, endsAtSeconds }: IdToken): Write => ({
  name: 'idToken',
  key: keys.idToken(kind, hash),
  put: { expires_at: endsAtSeconds },
  condition: { isNew: true },
});
