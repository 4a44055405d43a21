import { useLocation } from 'preact-iso';
import { useEffect, useState } from 'preact/hooks';
import { useLoaded } from '#lib/apps/dashboard/hooks/use-loaded.ts';
import { loginToken } from '#lib/apps/dashboard/login-token.ts';
import { pagePaths } from '#lib/apps/dashboard/static/page-paths.ts';
import { CliLoginPage } from '#lib/apps/dashboard/pages/cli-login.tsx';
import { SignInPage } from '#lib/apps/dashboard/pages/sign-in.tsx';
import { SignedInPage } from '#lib/apps/dashboard/pages/signed-in.tsx';
import { FrameSkeleton } from '#lib/apps/dashboard/parts/frame-skeleton.tsx';
import { WhenLoaded } from '#lib/apps/dashboard/parts/when-loaded.tsx';
import { loadInstallation, type Installation } from '#lib/apps/dashboard/installation.ts';
import { InstallationContext } from '#lib/apps/dashboard/installation-context.ts';
import { SignedInApp } from '#lib/apps/dashboard/signed-in-app.tsx';

/** A tab that is not signed in may get the session of another one. */
const loadEntrance = async () => {
  const [installation, token] = await Promise.all([loadInstallation(), loginToken.read() ?? loginToken.fromOtherTab()]);
  return { installation, token };
};

/** The whole application. */
export function App() {
  const entrance = useLoaded(loadEntrance, []);
  return (
    <WhenLoaded of={entrance} pending={<FrameSkeleton />}>
      {({ installation, token }) => (
        <InstallationContext.Provider value={installation}>
          <Entrance installation={installation} firstToken={token} />
        </InstallationContext.Provider>
      )}
    </WhenLoaded>
  );
}

interface EntranceProps {
  readonly installation: Installation;
  readonly firstToken?: string;
}

/** Routes for returns from the issuer, for terminal logins, and for everything else. */
function Entrance({ installation, firstToken }: EntranceProps) {
  const { path, url, route } = useLocation();
  const [token, setToken] = useState(firstToken);
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
  useEffect(() => {
    if (firstToken !== undefined) loginToken.keep(firstToken);
  }, []);
  useEffect(() => {
    // Signed-in pages share the session themselves: theirs may have ended.
    if (token !== undefined) return undefined;
    return loginToken.share({ onSignedIn: enter, onSignedOut: () => {}, current: () => undefined });
  }, [token]);

  if (path === pagePaths.signedIn) {
    return (
      <SignedInPage
        installation={installation}
        onSession={(newToken) => {
          enter(newToken);
          loginToken.tellSignedIn(newToken);
        }}
        onTerminal={setTerminalIdToken}
        onDone={(returnTo) => route(returnTo, true)}
      />
    );
  }
  if (path === pagePaths.cliLogin) return <CliLoginPage installation={installation} idToken={terminalIdToken} />;
  if (token === undefined)
    return <SignInPage installation={installation} notice={notice} returnTo={`${url}${location.hash}`} />;
  return <SignedInApp firstToken={token} installation={installation} onForget={forget} />;
}
