import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTHeaderParameters, SignJWT } from 'jose';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { NOW } from '#test/support/callers/request.ts';

export const ISSUER = 'https://issuer.test';
export const AUDIENCE = 'dashboard';

/** A key with which an issuer signs tokens. `jwk` is the public part. */
export interface IssuerKey {
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
}

export async function issuerKey(kid: string): Promise<IssuerKey> {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  return { privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' } };
}

interface TokenParts {
  /** When the token is signed. It is valid for ten minutes from then. */
  readonly at?: Date;
  readonly key?: IssuerKey;
  readonly header?: Partial<JWTHeaderParameters>;
}

/**
 * Starts an OpenID Connect issuer for one test file, and sets it in the environment. Call this once, before the first
 * request. The only thing that the issuer serves over HTTP is its keys.
 */
export async function openIssuer() {
  const first = await issuerKey('first');
  let published: unknown = { keys: [first.jwk] };
  let [status, fetches] = [200, 0];
  const server = createServer((_, response) => {
    fetches += 1;
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(published));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  server.unref();
  const { port } = server.address() as AddressInfo;
  Object.assign(process.env, {
    OIDC_ISSUER: ISSUER,
    OIDC_AUDIENCE: AUDIENCE,
    OIDC_JWKS_URL: `http://127.0.0.1:${port}/keys`,
  });

  return {
    first,
    /** Returns how often the keys were requested. */
    fetches: () => fetches,
    /** Makes the issuer serve these keys, or an invalid key set. */
    publish(keys: readonly IssuerKey[] | string): void {
      published = typeof keys === 'string' ? keys : { keys: keys.map(({ jwk }) => jwk) };
    },
    /** Makes the issuer reply with this status. */
    answerWith(wanted: number): void {
      status = wanted;
    },
    /** Signs an `id_token`. @param claims replace or extend the claims of a valid token; undefined omits a claim */
    async idToken(claims: Record<string, unknown> = {}, { at = NOW, key = first, header }: TokenParts = {}) {
      const now = Math.floor(at.getTime() / 1000);
      const jti = randomUUID();
      const person = { sub: 'jane', email: 'jane@people.test', email_verified: true };
      return new SignJWT({ iss: ISSUER, aud: AUDIENCE, iat: now, exp: now + 600, jti, ...person, ...claims })
        .setProtectedHeader({ alg: 'RS256', kid: key.jwk.kid, ...header })
        .sign(key.privateKey);
    },
  };
}

export type Issuer = Awaited<ReturnType<typeof openIssuer>>;
