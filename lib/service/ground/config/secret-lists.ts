import { createHash } from 'node:crypto';

/** Secrets separated by commas. */
export const secretList = (text: string): readonly string[] =>
  text
    .split(',')
    .map((secret) => secret.trim())
    .filter((secret) => secret !== '');

const HASHED = 'sha256:';

/** Hashes the secrets of proxies. Deployments receive only the hashes, so that the template contains no secret. */
export const hashedProxySecrets = (text: string): string =>
  secretList(text)
    .map((secret) => `${HASHED}${proxySecretHash(secret)}`)
    .join(',');

export const proxySecretHash = (secret: string): string =>
  secret.startsWith(HASHED) ? secret.slice(HASHED.length) : createHash('sha256').update(secret).digest('hex');
