import { useEffect, useRef } from 'preact/hooks';
import { Frame } from '#lib/apps/dashboard/frame.tsx';
import { useLoaded } from '#lib/apps/dashboard/hooks/use-loaded.ts';
import { useLogin } from '#lib/apps/dashboard/hooks/use-login.ts';
import { NewWorkspacePage } from '#lib/apps/dashboard/pages/new-workspace.tsx';
import { FrameSkeleton } from '#lib/apps/dashboard/parts/frame-skeleton.tsx';
import { SessionEnded } from '#lib/apps/dashboard/parts/session-ended.tsx';
import { WhenLoaded } from '#lib/apps/dashboard/parts/when-loaded.tsx';
import { loadAll } from '#lib/apps/dashboard/load-all.ts';
import { SessionContext } from '#lib/apps/dashboard/session.ts';
import type { Installation } from '#lib/apps/dashboard/installation.ts';
import { signOut } from '#lib/apps/dashboard/sign-out.ts';
import type { Me } from '#lib/wire/people.ts';
import type { Program } from '#lib/wire/program.ts';

interface SignedInAppProps {
  readonly firstToken: string;
  readonly installation: Installation;
  /** @param reason shown on the sign-in page */
  readonly onForget: (reason?: string) => void;
}

const ENDED = 'Your session has ended. Sign in again to go on where you were.';

/** Loads the session; people without workspace create one first. */
export function SignedInApp({ firstToken, installation, onForget }: SignedInAppProps) {
  const accountId = useRef<number | undefined>(undefined);
  const { api, hasEnded, tokenNow } = useLogin(firstToken, {
    onSignedOut: () => onForget('You signed out in another tab.'),
    accountId: () => accountId.current,
  });
  const loading = useLoaded(async () => {
    const me = await api.get<Me>('/me');
    accountId.current = me.account.id;
    return { me, programs: me.workspace ? await loadAll<Program>(api, '/programs') : [] };
  }, [api]);
  useEffect(() => {
    if (!hasEnded && loading.state === 'ready') void loading.reload();
  }, [hasEnded]);
  const leave = () => signOut(api, installation, tokenNow(), onForget);

  // Before there is a page, there is nothing to go on with.
  const isNothingOpen = hasEnded && loading.state !== 'ready';
  useEffect(() => {
    if (isNothingOpen) onForget(ENDED);
  }, [isNothingOpen]);

  return (
    <WhenLoaded of={loading} pending={<FrameSkeleton />}>
      {({ me, programs }) => {
        const session = { api, me, programs, reload: loading.reload, signOut: leave };
        const { workspace } = me;
        return (
          <>
            {workspace ? (
              <SessionContext.Provider value={{ ...session, workspace, isOwner: workspace.role === 'owner' }}>
                <Frame />
              </SessionContext.Provider>
            ) : (
              <NewWorkspacePage session={session} />
            )}
            {hasEnded && <SessionEnded onLeave={() => onForget(ENDED)} />}
          </>
        );
      }}
    </WhenLoaded>
  );
}
