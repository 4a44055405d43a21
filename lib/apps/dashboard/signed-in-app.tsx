import { useMemo } from 'preact/hooks';
import { dashboardApi } from '#lib/apps/dashboard/api.ts';
import { Frame } from '#lib/apps/dashboard/frame.tsx';
import { useLoaded } from '#lib/apps/dashboard/hooks/use-loaded.ts';
import { NewWorkspacePage } from '#lib/apps/dashboard/pages/new-workspace.tsx';
import { WhenLoaded } from '#lib/apps/dashboard/parts/when-loaded.tsx';
import { loadAll } from '#lib/apps/dashboard/load-all.ts';
import { SessionContext } from '#lib/apps/dashboard/session.ts';
import type { Installation } from '#lib/apps/dashboard/installation.ts';
import { signOut } from '#lib/apps/dashboard/sign-out.ts';
import type { Me } from '#lib/wire/people.ts';
import type { Program } from '#lib/wire/program.ts';

interface SignedInAppProps {
  readonly token: string;
  readonly installation: Installation;
  /** @param reason shown on the sign-in page */
  readonly onForget: (reason?: string) => void;
}

/** Loads the session; people without workspace create one first. */
export function SignedInApp({ token, installation, onForget }: SignedInAppProps) {
  const api = useMemo(
    () => dashboardApi(token, () => onForget('Your session has ended. Sign in again to go on where you were.')),
    [token],
  );
  const loading = useLoaded(async () => {
    const me = await api.get<Me>('/me');
    return { me, programs: me.workspace ? await loadAll<Program>(api, '/programs') : [] };
  }, [api]);
  const leave = () => signOut(api, installation, onForget);

  return (
    <WhenLoaded of={loading}>
      {({ me, programs }) => {
        const session = { api, me, programs, reload: loading.reload, signOut: leave };
        const { workspace } = me;
        if (!workspace) return <NewWorkspacePage session={session} />;
        return (
          <SessionContext.Provider value={{ ...session, workspace, isOwner: workspace.role === 'owner' }}>
            <Frame />
          </SessionContext.Provider>
        );
      }}
    </WhenLoaded>
  );
}
