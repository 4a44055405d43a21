import { errorFrom } from '#lib/apps/web/api/api-error.ts';
import { loginToken } from '#lib/apps/web/session/login-token.ts';
import type { Installation } from '#lib/apps/web/api/installation.ts';
import { revoke } from '#lib/apps/web/session/session-token.ts';

interface SigningOut {
  readonly token: string;
  readonly installation: Installation;
  /** Path of the start page. */
  readonly home: string;
  /** Ends the session in this tab. @param reason shown on the sign-in page */
  readonly onForget: (reason?: string) => void;
  /** The reason, if the person did not choose to sign out. */
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
  // Signs out even if the service does not answer; the token is then only removed here.
  const isRevoked = await revoke(token).then(
    () => true,
    // A token that the service no longer accepts counts as revoked.
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
  // The only address that all issuers supported here allow for the return.
  const start = `${location.origin}/`;
  url.searchParams.set('client_id', clientId);
  // The first name is the standard's, the second Cognito's.
  url.searchParams.set('post_logout_redirect_uri', start);
  url.searchParams.set('logout_uri', start);
  return url;
}
