import { decodeJwt } from 'jose';
import { sha256 } from '#lib/service/ground/addresses/credential.ts';
import { idTokenInvalid } from '#lib/service/ground/values/refusals.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { CLOCK_SKEW_SECONDS, verifiedIdentity } from '#lib/service/ground/effects/identity.ts';
import type { SignedIdentity } from '#lib/service/people/accounts/sign-in.ts';

/**
 * The person named by an `id_token`. Only the functions that sign people in import it, because it adds the JWT library.
 * @throws Refusal
 */
export async function signedInAs(deps: Deps, idToken: string): Promise<SignedIdentity> {
  const identity = await verifiedIdentity(deps, idToken);
  if (!identity) throw idTokenInvalid();
  // Only the signed part is hashed. The same signature can be encoded in several ways, which would give several hashes.
  const hash = sha256(idToken.slice(0, idToken.lastIndexOf('.')));
  const { exp = 0, iat = 0, auth_time: authTime } = decodeJwt(idToken);
  // The token may be new although the person signed in long ago, so the time of the sign-in is used if the token
  // contains it.
  const signedInAtSeconds = typeof authTime === 'number' ? Math.min(authTime, iat) : iat;
  return {
    ...identity,
    signedInAt: new Date(signedInAtSeconds * 1_000).toISOString(),
    idToken: { hash, endsAtSeconds: Math.ceil(exp) + CLOCK_SKEW_SECONDS + 1 },
  };
}
