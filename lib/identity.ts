import { createRemoteJWKSet, errors, jwtVerify, type JWTVerifyGetKey } from 'jose';
import type { Identity } from '#lib/domain/account.ts';
import { emailOf } from '#lib/domain/email.ts';
import { isPlainText } from '#lib/domain/identifier.ts';
import type { Deps } from '#lib/deps.ts';

/** Pinned: whatever a token's own header names, it is checked as this. */
const ALGORITHM = 'RS256';
const CLOCK_SKEW_SECONDS = 60;

let keys: JWTVerifyGetKey | undefined;

/**
 * The person that an `id_token` of the configured issuer names; undefined when it is not valid now, or its e-mail is
 * not verified. The issuer's keys are kept for ten minutes and fetched again when a token names an unknown one.
 * @throws Error when the issuer's keys cannot be had
 */
export async function verifiedIdentity({ config, now }: Deps, idToken: string): Promise<Identity | undefined> {
  const { issuer, audience, jwksUrl } = config.openId;
  if (!issuer || !audience || !jwksUrl) throw new Error('Sign-in needs OIDC_ISSUER, OIDC_AUDIENCE and OIDC_JWKS_URL');
  keys ??= createRemoteJWKSet(new URL(jwksUrl));
  try {
    const { payload } = await jwtVerify(idToken, keys, {
      issuer,
      audience,
      algorithms: [ALGORITHM],
      currentDate: now,
      clockTolerance: CLOCK_SKEW_SECONDS,
      requiredClaims: ['sub', 'exp'],
    });
    const { sub: subject = '', name } = payload;
    const email = emailOf(payload.email);
    if (!email || payload.email_verified !== true || subject === '' || !isPlainText(subject)) return undefined;
    return { issuer, subject, email, name: typeof name === 'string' ? name : undefined };
  } catch (error) {
    if (isInvalidToken(error)) return undefined;
    throw error;
  }
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
