import { randomUUID } from 'node:crypto';
import type { JSONWebKeySet } from 'jose';

export const SIGNING_ALGORITHM = 'RS256';
const VALID_SECONDS = 10 * 60;

/** The subject, issuer and audience of a token. */
interface TokenClaims {
  readonly issuer: string;
  readonly audience: string;
  readonly subject: string;
  readonly email: string;
  readonly name?: string;
  /** A value from the authorization request that is repeated in the token. */
  readonly nonce?: string;
}

/** The key with which the local issuer signs tokens. */
interface SigningKey {
  /** Signs an `id_token` that is valid for ten minutes from `now`. */
  readonly sign: (claims: TokenClaims, now: Date) => Promise<string>;
  /** Returns the public keys with which tokens are verified. */
  readonly publicKeys: () => Promise<JSONWebKeySet>;
}

/**
 * A new signing key. It is generated at the first use, because generating it takes half as long as starting the local
 * run.
 */
export function newSigningKey(): SigningKey {
  let made: ReturnType<typeof makeKey> | undefined;
  return {
    async sign({ issuer, audience, subject, email, name, nonce }, now) {
      const { SignJWT } = await import('jose');
      const { privateKey, jwk } = await (made ??= makeKey());
      const nowSeconds = Math.floor(now.getTime() / 1000);
      return (
        new SignJWT({ email, email_verified: true, name, nonce, auth_time: nowSeconds })
          .setProtectedHeader({ alg: SIGNING_ALGORITHM, kid: jwk.kid, typ: 'JWT' })
          .setIssuer(issuer)
          .setAudience(audience)
          .setSubject(subject)
          // A random id makes two tokens of the same second differ.
          .setJti(randomUUID())
          .setIssuedAt(nowSeconds)
          .setExpirationTime(nowSeconds + VALID_SECONDS)
          .sign(privateKey)
      );
    },
    publicKeys: async () => ({ keys: [(await (made ??= makeKey())).jwk] }),
  };
}

async function makeKey() {
  const { calculateJwkThumbprint, exportJWK, generateKeyPair } = await import('jose');
  const { publicKey, privateKey } = await generateKeyPair(SIGNING_ALGORITHM);
  const jwk = await exportJWK(publicKey);
  return { privateKey, jwk: { ...jwk, kid: await calculateJwkThumbprint(jwk), alg: SIGNING_ALGORITHM, use: 'sig' } };
}
