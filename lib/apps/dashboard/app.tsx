import { useLocation } from 'preact-iso';
import { useState } from 'preact/hooks';
import { loginToken } from '#lib/apps/web/session/login-token.ts';
import { Entrance, type Visit } from '#lib/apps/web/parts/frame/entrance.tsx';
import { SignInPage } from '#lib/apps/web/parts/frame/sign-in-page.tsx';
import { PORTAL_ADDRESS } from '#lib/apps/web/static/entry-paths.ts';
import { CliLoginPage } from '#lib/apps/dashboard/pages/people/cli-login.tsx';
import { SignedInPage } from '#lib/apps/dashboard/pages/signed-in.tsx';
import { SignedInApp } from '#lib/apps/dashboard/session/signed-in-app.tsx';
import { pagePaths } from '#lib/apps/dashboard/static/page-paths.ts';

export const App = () => <Entrance>{(visit) => <Visited {...visit} />}</Entrance>;

/**
 * Shows the page for an address. The pages to which a sign-in or a login of the command line leads need no session yet.
 */
function Visited({ installation, token, notice, enter, forget }: Visit) {
  const { path, url, route } = useLocation();
  // The token for a login of the command line. It is not stored, so after a reload the person must sign in again.
  const [terminalIdToken, setTerminalIdToken] = useState<string>();

  if (path === pagePaths.signedIn) {
    return (
      <SignedInPage
        installation={installation}
        onSession={(newToken) => {
          enter(newToken);
          loginToken.tellSignedIn(newToken);
        }}
        onTerminal={setTerminalIdToken}
        onDone={(returnTo) => (PORTAL_ADDRESS.test(returnTo) ? location.replace(returnTo) : route(returnTo, true))}
      />
    );
  }
  if (path === pagePaths.cliLogin) return <CliLoginPage installation={installation} idToken={terminalIdToken} />;
  if (token === undefined) {
    return (
      <SignInPage
        installation={installation}
        intro="See which partner brought which customer, and pay them what they earned."
        notice={notice}
        returnTo={`${url}${location.hash}`}
      />
    );
  }
  return <SignedInApp firstToken={token} onForget={forget} />;
}
