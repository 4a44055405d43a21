import { randomUUID } from 'node:crypto';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JSONWebKeySet, SignJWT } from 'jose';

export const SIGNING_ALGORITHM = 'RS256';
const VALID_SECONDS = 10 * 60;

/** Who a token is about, and between whom it passes. */
interface TokenClaims {
  readonly issuer: string;
  readonly audience: string;
  readonly subject: string;
  readonly email: string;
  readonly name?: string;
  /** Of the request for a code; told back in the token. */
  readonly nonce?: string;
}

/** What the local issuer signs with. */
interface SigningKey {
  /** A signed `id_token`, valid for ten minutes from then. */
  readonly sign: (claims: TokenClaims, now: Date) => Promise<string>;
  /** What verifiers of its tokens need. */
  readonly publicKeys: () => Promise<JSONWebKeySet>;
}

/** A key of this run alone. It is made beside whatever else starts; who needs it first may wait for it. */
export function newSigningKey(): SigningKey {
  const made = makeKey();
  // Whoever asks for the key is told of a failure.
  made.catch(() => undefined);
  return {
    async sign({ issuer, audience, subject, email, name, nonce }, now) {
      const { privateKey, jwk } = await made;
      const nowSeconds = Math.floor(now.getTime() / 1000);
      return (
        new SignJWT({ email, email_verified: true, name, nonce })
          .setProtectedHeader({ alg: SIGNING_ALGORITHM, kid: jwk.kid, typ: 'JWT' })
          .setIssuer(issuer)
          .setAudience(audience)
          .setSubject(subject)
          // Two tokens of one second are two tokens.
          .setJti(randomUUID())
          .setIssuedAt(nowSeconds)
          .setExpirationTime(nowSeconds + VALID_SECONDS)
          .sign(privateKey)
      );
    },
    publicKeys: async () => ({ keys: [(await made).jwk] }),
  };
}

async function makeKey() {
  const { publicKey, privateKey } = await generateKeyPair(SIGNING_ALGORITHM);
  const jwk = await exportJWK(publicKey);
  return { privateKey, jwk: { ...jwk, kid: await calculateJwkThumbprint(jwk), alg: SIGNING_ALGORITHM, use: 'sig' } };
}
