import { createHash } from 'node:crypto';

/** Splits a text into secrets, which are separated by commas. */
export const secretList = (text: string): readonly string[] =>
  text
    .split(',')
    .map((secret) => secret.trim())
    .filter((secret) => secret !== '');

const HASHED = 'sha256:';

/**
 * Hashes the secrets with which brands' proxies identify themselves. A deployment receives only the hashes, so its
 * template contains no secret.
 */
export const hashedProxySecrets = (text: string): string =>
  secretList(text)
    .map((secret) => `${HASHED}${proxySecretHash(secret)}`)
    .join(',');

export const proxySecretHash = (secret: string): string =>
  secret.startsWith(HASHED) ? secret.slice(HASHED.length) : createHash('sha256').update(secret).digest('hex');
