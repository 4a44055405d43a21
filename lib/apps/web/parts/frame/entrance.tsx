import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useLoaded } from '#lib/apps/web/hooks/use-loaded.ts';
import { loadInstallation, type Installation } from '#lib/apps/web/api/installation.ts';
import { InstallationContext } from '#lib/apps/web/api/installation-context.ts';
import { loginToken } from '#lib/apps/web/session/login-token.ts';
import { FrameSkeleton } from '#lib/apps/web/parts/frame/frame-skeleton.tsx';
import { WhenLoaded } from '#lib/apps/web/parts/table/when-loaded.tsx';

/** The state of this tab, whether or not the person is signed in. */
export interface Visit {
  readonly installation: Installation;
  readonly token?: string;
  /** Why the person has to sign in again. */
  readonly notice?: string;
  readonly enter: (token: string) => void;
  /** Ends the session in this tab. @param reason shown on the sign-in page */
  readonly forget: (reason?: string) => void;
}

type Visited = (visit: Visit) => ComponentChildren;

/** Loads the settings. If this tab has no token, asks the other tabs for one. */
const loadEntrance = async () => {
  const [installation, token] = await Promise.all([loadInstallation(), loginToken.read() ?? loginToken.fromOtherTab()]);
  return { installation, token };
};

/** Loads the installation's settings and finds a session, before any page is shown. */
export function Entrance({ children }: { readonly children: Visited }) {
  const entrance = useLoaded(loadEntrance, []);
  return (
    <WhenLoaded of={entrance} pending={<FrameSkeleton />}>
      {({ installation, token }) => (
        <InstallationContext.Provider value={installation}>
          <WithToken installation={installation} firstToken={token}>
            {children}
          </WithToken>
        </InstallationContext.Provider>
      )}
    </WhenLoaded>
  );
}

interface WithTokenProps {
  readonly installation: Installation;
  readonly firstToken?: string;
  readonly children: Visited;
}

/** Keeps the token of this tab. While the tab has none, it takes the token of a tab in which the person signs in. */
function WithToken({ installation, firstToken, children }: WithTokenProps) {
  const [token, setToken] = useState(firstToken);
  const [notice, setNotice] = useState<string>();

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
    // Pages of a session listen to other tabs themselves, because the session may have ended.
    if (token !== undefined) return undefined;
    return loginToken.share({ onSignedIn: enter, onSignedOut: () => {}, current: () => undefined });
  }, [token]);
  useEffect(() => {
    if (firstToken !== undefined) loginToken.keep(firstToken);
    // Asks once more: another tab may have answered between the first request's timeout and the start of listening.
    else loginToken.ask();
  }, []);

  return <>{children({ installation, token, notice, enter, forget })}</>;
}
