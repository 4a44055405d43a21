import { useLocation } from 'preact-iso';
import { useState } from 'preact/hooks';
import { useLoaded } from '#lib/apps/dashboard/hooks/use-loaded.ts';
import { loginToken } from '#lib/apps/dashboard/login-token.ts';
import { pagePaths } from '#lib/apps/dashboard/static/page-paths.ts';
import { CliLoginPage } from '#lib/apps/dashboard/pages/cli-login.tsx';
import { SignInPage } from '#lib/apps/dashboard/pages/sign-in.tsx';
import { SignedInPage } from '#lib/apps/dashboard/pages/signed-in.tsx';
import { WhenLoaded } from '#lib/apps/dashboard/parts/when-loaded.tsx';
import { loadInstallation, type Installation } from '#lib/apps/dashboard/installation.ts';
import { InstallationContext } from '#lib/apps/dashboard/installation-context.ts';
import { SignedInApp } from '#lib/apps/dashboard/signed-in-app.tsx';

/** The whole application. */
export function App() {
  const installation = useLoaded(loadInstallation, []);
  return (
    <WhenLoaded of={installation}>
      {(loaded) => (
        <InstallationContext.Provider value={loaded}>
          <Entrance installation={loaded} />
        </InstallationContext.Provider>
      )}
    </WhenLoaded>
  );
}

/** Routes for returns from the issuer, for terminal logins, and for everything else. */
function Entrance({ installation }: { readonly installation: Installation }) {
  const { path, url, route } = useLocation();
  const [token, setToken] = useState(loginToken.read);
  const [notice, setNotice] = useState<string>();
  // For the terminal's login page. It is in memory only: a reload asks the person to sign in again.
  const [terminalIdToken, setTerminalIdToken] = useState<string>();

  function forget(reason?: string): void {
    loginToken.drop();
    setToken(undefined);
    setNotice(reason);
  }
  function enter(newToken: string): void {
    loginToken.keep(newToken);
    setToken(newToken);
    setNotice(undefined);
  }

  if (path === pagePaths.signedIn) {
    return (
      <SignedInPage
        installation={installation}
        onSession={enter}
        onTerminal={setTerminalIdToken}
        onDone={(returnTo) => route(returnTo, true)}
      />
    );
  }
  if (path === pagePaths.cliLogin) return <CliLoginPage installation={installation} idToken={terminalIdToken} />;
  if (token === undefined)
    return <SignInPage installation={installation} notice={notice} returnTo={`${url}${location.hash}`} />;
  return <SignedInApp token={token} installation={installation} onForget={forget} />;
}
