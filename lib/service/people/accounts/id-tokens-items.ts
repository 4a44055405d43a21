import type { LoginKind } from '#lib/service/ground/addresses/login-token.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

/** A verified `id_token`. */
export interface IdToken {
  readonly hash: string;
  /** When the token expires. After that it cannot be verified any more, so its use need not be remembered. */
  readonly endsAtSeconds: number;
}

/**
 * The write that marks an `id_token` as used for one kind of session. If two sign-ins use the same token, the second
 * one is refused.
 */
export const usedIdTokenWrite = (kind: LoginKind, { hash, endsAtSeconds }: IdToken): Write => ({
  name: 'idToken',
  key: keys.idToken(kind, hash),
  put: { expires_at: endsAtSeconds },
  condition: { isNew: true },
});
