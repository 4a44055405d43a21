import { beforeAll } from 'vitest';
import { type Issuer, openIssuer } from '#test/support/callers/logins/issuer.ts';

/** An issuer opened before the other hooks and the tests of a file. */
export function openedIssuer(): Issuer {
  const issuer = {};
  beforeAll(async () => void Object.assign(issuer, await openIssuer()));
  return issuer as Issuer;
}
