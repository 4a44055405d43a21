import { createHash, randomBytes } from 'node:crypto';

const VALID_MS = 60_000;

/** What an authorization code represents: the person who signed in on the page, and the client that asked. */
interface Grant {
  readonly email: string;
  readonly name?: string;
  /** A value from the client's request that is copied into the token. */
  readonly nonce?: string;
  readonly redirectUri: string;
  /** SHA-256 of the client's `code_verifier`, base64url. */
  readonly challenge: string;
}

/** A client's request to exchange a code for a token. It is not validated yet. */
interface Redemption {
  readonly code?: unknown;
  readonly redirect_uri?: unknown;
  readonly code_verifier?: unknown;
}

/**
 * The authorization codes that are not exchanged yet. Each can be exchanged once, within a minute, by the client that
 * requested it.
 */
export function authorizationCodes() {
  const waiting = new Map<string, Grant & { readonly expiresAtMs: number }>();

  return {
    issue(grant: Grant, now: Date): string {
      for (const [code, { expiresAtMs }] of waiting) if (expiresAtMs <= now.getTime()) waiting.delete(code);
      const code = randomBytes(32).toString('base64url');
      waiting.set(code, { ...grant, expiresAtMs: now.getTime() + VALID_MS });
      return code;
    },

    /**
     * Removes the code even if the exchange fails, so that an attacker can try only one code verifier for each code.
     */
    redeem({ code, redirect_uri: redirectUri, code_verifier: verifier }: Redemption, now: Date): Grant | undefined {
      if (typeof code !== 'string' || typeof verifier !== 'string') return undefined;
      const grant = waiting.get(code);
      waiting.delete(code);
      const isInTime = grant !== undefined && now.getTime() < grant.expiresAtMs;
      return isInTime && grant.redirectUri === redirectUri && grant.challenge === challengeOf(verifier)
        ? grant
        : undefined;
    },
  };
}

/** The PKCE code challenge, method S256. */
const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');
