import type { LoginKind } from '#lib/service/ground/addresses/login-token.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

/** An `id_token` that was verified. */
export interface IdToken {
  readonly hash: string;
  /** From then on its verification fails anyway. */
  readonly endsAtSeconds: number;
}

/** Marks an `id_token` as used for sessions of one kind. Two sign-ins race with it: the loser is refused. */
export const usedIdTokenWrite = (kind: LoginKind, { hash, endsAtSeconds }: IdToken): Write => ({
  name: 'idToken',
  key: keys.idToken(kind, hash),
  put: { expires_at: endsAtSeconds },
  condition: { isNew: true },
});
