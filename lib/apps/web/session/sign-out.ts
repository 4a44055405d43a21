import { errorFrom } from '#lib/apps/web/api/api-error.ts';
import { loginToken } from '#lib/apps/web/session/login-token.ts';
import type { Installation } from '#lib/apps/web/api/installation.ts';
import { revoke } from '#lib/apps/web/session/session-token.ts';

interface SigningOut {
  readonly token: string;
  readonly installation: Installation;
  /** Path of the application's start page. */
  readonly home: string;
  /** Ends the session in this tab. @param reason shown on the sign-in page */
  readonly onForget: (reason?: string) => void;
  /** Why the person is signed out, if not by choice. */
  readonly reason?: string;
}

/** Revokes the token, removes it from every tab, and ends the session at the issuer. */
export async function signOut({
  token,
  installation,
  home,
  onForget,
  reason = 'You are signed out.',
}: SigningOut): Promise<void> {
  // If the service does not answer, the person is signed out in this browser only.
  const isRevoked = await revoke(token).then(
    () => true,
    // If the service does not accept the token, it needs no revocation.
    (error: unknown) => errorFrom(error).status === 401,
  );
  loginToken.tellSignedOut(token);
  onForget(
    isRevoked
      ? reason
      : 'You are signed out of this browser. The service did not answer, so the session itself ends after 14 days without use.',
  );
  if (installation.logout_endpoint) location.assign(logoutUrl(installation.logout_endpoint, installation.client_id));
  else history.replaceState(null, '', home);
}

function logoutUrl(endpoint: string, clientId: string): URL {
  const url = new URL(endpoint, location.origin);
  // All supported issuers allow a redirect to this address after the sign-out, and to no other.
  const start = `${location.origin}/`;
  url.searchParams.set('client_id', clientId);
  // The standard's name of the parameter, followed by Cognito's.
  url.searchParams.set('post_logout_redirect_uri', start);
  url.searchParams.set('logout_uri', start);
  return url;
}
