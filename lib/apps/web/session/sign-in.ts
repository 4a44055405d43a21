import { ApiError, apiErrorFrom } from '#lib/apps/web/api/api-error.ts';
import { claimsIn } from '#lib/apps/web/session/id-token.ts';
import { entryPaths } from '#lib/apps/web/static/entry-paths.ts';
import type { Installation } from '#lib/apps/web/api/installation.ts';

/**
 * What a sign-in is for: these pages, a command line that waits for a login, or pages in another tab that need a recent
 * sign-in.
 */
type Purpose = 'pages' | 'terminal' | 'otherTab';

/** A sign-in that has begun. It is stored, because the browser leaves this page for the issuer's. */
interface Attempt {
  readonly state: string;
  readonly verifier: string;
  /** A random value. Only the `id_token` of this sign-in contains it. */
  readonly nonce: string;
  readonly purpose: Purpose;
  /** The page to open after the sign-in. */
  readonly returnTo: string;
}

export interface SignedIn {
  readonly idToken: string;
  readonly purpose: Purpose;
  readonly returnTo: string;
}

const ATTEMPT = 'sign_in';
const redirectUri = (): string => `${location.origin}${entryPaths.signedIn}`;

interface Wanted {
  readonly purpose: Purpose;
  readonly returnTo: string;
  /** If set, the person must authenticate even if the issuer has a session. */
  readonly again?: true;
}

/** Sends the browser to the issuer's page, with the authorization code flow and PKCE (RFC 7636). */
export async function beginSignIn(installation: Installation, { purpose, returnTo, again }: Wanted): Promise<void> {
  if (!installation.authorization_endpoint) {
    throw new ApiError(
      `The sign-in service ${installation.issuer} is not reachable. Ask your operator to check OIDC_ISSUER.`,
    );
  }
  const attempt: Attempt = { state: randomText(), verifier: randomText(), nonce: randomText(), purpose, returnTo };
  sessionStorage.setItem(ATTEMPT, JSON.stringify(attempt));
  const url = new URL(installation.authorization_endpoint, location.origin);
  const query = {
    response_type: 'code',
    client_id: installation.client_id,
    redirect_uri: redirectUri(),
    scope: 'openid email profile',
    state: attempt.state,
    nonce: attempt.nonce,
    code_challenge: await challengeOf(attempt.verifier),
    code_challenge_method: 'S256',
    // Each of the two parameters requests a new authentication; some issuers support only one of them. Whether it
    // happened is decided by the time in the token.
    ...(again && { prompt: 'login', max_age: '0' }),
  };
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  location.assign(url);
}

/**
 * Completes a sign-in when the browser returns from the issuer's page: exchanges the code for an `id_token`.
 * @param query of the address to which the issuer redirected
 * @throws ApiError
 */
export async function completeSignIn(installation: Installation, query: URLSearchParams): Promise<SignedIn> {
  const attempt = takeAttempt();
  const refused = query.get('error_description') ?? query.get('error');
  if (refused) throw new ApiError(`Sign-in was not completed: ${refused}`);
  const code = query.get('code');
  // The state stops a page of another site from signing the person in with a code of another account.
  if (!attempt || !code || query.get('state') !== attempt.state) {
    throw new ApiError('This sign-in does not belong to this window, or was already used. Sign in again.');
  }
  const { purpose, returnTo, verifier, nonce } = attempt;
  const idToken = await idTokenFor(installation, code, verifier);
  if (claimsIn(idToken).nonce !== nonce) {
    throw new ApiError('The sign-in service answered for another sign-in. Sign in again.');
  }
  return { idToken, purpose, returnTo };
}

async function idTokenFor(installation: Installation, code: string, verifier: string): Promise<string> {
  const response = await fetch(new URL(installation.token_endpoint ?? '', location.origin), {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: installation.client_id,
      redirect_uri: redirectUri(),
      code,
      code_verifier: verifier,
    }),
  }).catch(() => {
    throw new ApiError('The sign-in service could not be reached. Check your connection and sign in again.');
  });
  if (!response.ok) throw await apiErrorFrom(response);
  const { id_token: idToken } = (await response.json()) as { readonly id_token?: string };
  if (!idToken) throw new ApiError('The sign-in service sent no id_token. Sign in again.');
  return idToken;
}

/** Reads and deletes the sign-in that has begun, because it can be completed only once. */
function takeAttempt(): Attempt | undefined {
  const kept = sessionStorage.getItem(ATTEMPT);
  sessionStorage.removeItem(ATTEMPT);
  return kept === null ? undefined : (JSON.parse(kept) as Attempt);
}

/** 256 random bits as 43 characters. */
const randomText = (): string => base64url(crypto.getRandomValues(new Uint8Array(32)));

const challengeOf = async (verifier: string): Promise<string> =>
  base64url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))));

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCodePoint(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
