import { createRemoteJWKSet, errors, jwtVerify, type JWTVerifyGetKey } from 'jose';
import type { Identity } from '#lib/service/ground/addresses/account.ts';
import { emailOf } from '#lib/service/ground/addresses/email.ts';
import { isPlainText, textOf } from '#lib/service/ground/values/identifier.ts';
import type { Config } from '#lib/service/ground/config/config.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';

/** The only accepted algorithm. The one in the token's header is ignored, because an attacker could choose it. */
const ALGORITHM = 'RS256';
/** By how much our clock and the issuer's may differ, in either direction. */
export const CLOCK_SKEW_SECONDS = 30;
const LONGEST_NAME = 120;

/**
 * The identity in an `id_token` of the configured issuer. Undefined if the token is not valid now, or if the issuer has
 * not verified the person's e-mail address.
 * @throws Error if the issuer's keys cannot be fetched
 */
export async function verifiedIdentity({ now, once }: Deps, idToken: string): Promise<Identity | undefined> {
  const { issuer, audience, keys } = once(configuredIssuer);
  try {
    const { payload } = await jwtVerify(idToken, keys(now), {
      issuer,
      audience,
      algorithms: [ALGORITHM],
      currentDate: now,
      clockTolerance: CLOCK_SKEW_SECONDS,
      requiredClaims: ['sub', 'exp'],
    });
    const { sub: subject = '', iat: issuedAt = 0 } = payload;
    if (issuedAt > now.getTime() / 1000 + CLOCK_SKEW_SECONDS) return undefined;
    const email = emailOf(payload.email);
    if (!email || payload.email_verified !== true || subject === '' || !isPlainText(subject)) return undefined;
    return { issuer, subject, email, name: textOf(payload.name, LONGEST_NAME) };
  } catch (error) {
    if (isInvalidToken(error)) return undefined;
    throw error;
  }
}

function configuredIssuer({ openId: { issuer, audience, jwksUrl } }: Config) {
  if (!issuer || !audience || !jwksUrl) throw new Error('Sign-in needs OIDC_ISSUER, OIDC_AUDIENCE and OIDC_JWKS_URL');
  return { issuer, audience, keys: issuerKeys(new URL(jwksUrl)) };
}

const MOST_EARLY_FETCHES_PER_MINUTE = 10;

/**
 * The issuer's public keys, cached for ten minutes. If a token names an unknown key id, they are fetched again earlier,
 * because the issuer may have new keys. The number of fetches per minute is limited, because anyone can send unknown
 * key ids.
 */
function issuerKeys(url: URL): (now: Date) => JWTVerifyGetKey {
  const kept = createRemoteJWKSet(url, { cooldownDuration: Number.POSITIVE_INFINITY });
  let early = { minute: 0, fetches: 0 };

  return (now) => async (header, token) => {
    try {
      return await kept(header, token);
    } catch (error) {
      const minute = Math.floor(now.getTime() / 60_000);
      if (early.minute !== minute) early = { minute, fetches: 0 };
      if (!(error instanceof errors.JWKSNoMatchingKey) || early.fetches === MOST_EARLY_FETCHES_PER_MINUTE) throw error;
      early.fetches += 1;
      await kept.reload();
      return kept(header, token);
    }
  };
}

const invalid = [
  errors.JWTExpired,
  errors.JWTClaimValidationFailed,
  errors.JWTInvalid,
  errors.JWSInvalid,
  errors.JWSSignatureVerificationFailed,
  errors.JOSEAlgNotAllowed,
  errors.JOSENotSupported,
  errors.JWKSNoMatchingKey,
  errors.JWKSMultipleMatchingKeys,
];

const isInvalidToken = (error: unknown): boolean => invalid.some((kind) => error instanceof kind);
