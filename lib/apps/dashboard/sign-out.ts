import type { Api } from '#lib/apps/dashboard/api.ts';
import { loginToken } from '#lib/apps/dashboard/login-token.ts';
import { pagePaths } from '#lib/apps/dashboard/static/page-paths.ts';
import type { Installation } from '#lib/apps/dashboard/installation.ts';

/** Revokes the token, forgets it in every tab, and has the issuer forget the person. */
export async function signOut(
  api: Api,
  installation: Installation,
  token: string,
  onForget: (reason?: string) => void,
): Promise<void> {
  // Signs out even if the service does not answer: the token is then dropped here only.
  const isRevoked = await api.send('DELETE', '/session').then(
    () => true,
    () => false,
  );
  loginToken.tellSignedOut(token);
  onForget(
    isRevoked
      ? 'You are signed out.'
      : 'You are signed out of this browser. The service did not answer, so the session itself ends within 90 days.',
  );
  if (installation.logout_endpoint) location.assign(logoutUrl(installation.logout_endpoint, installation.client_id));
  else history.replaceState(null, '', pagePaths.home);
}

function logoutUrl(endpoint: string, clientId: string): URL {
  const url = new URL(endpoint, location.origin);
  const home = `${location.origin}${pagePaths.home}`;
  url.searchParams.set('client_id', clientId);
  // The first name is the standard's, the second Cognito's.
  url.searchParams.set('post_logout_redirect_uri', home);
  url.searchParams.set('logout_uri', home);
  return url;
}
