import type { Api } from '#lib/apps/web/api/api.ts';
import { loadAll } from '#lib/apps/web/api/load-all.ts';
import { SignedIn } from '#lib/apps/web/parts/frame/signed-in.tsx';
import { WorkspaceFrame } from '#lib/apps/dashboard/frame.tsx';
import { NewWorkspacePage } from '#lib/apps/dashboard/pages/people/new-workspace.tsx';
import { SessionContext } from '#lib/apps/dashboard/session/session.ts';
import { pagePaths } from '#lib/apps/dashboard/static/page-paths.ts';
import type { Me } from '#lib/wire/people/people.ts';
import type { Program } from '#lib/wire/programs/program.ts';

interface SignedInAppProps {
  readonly firstToken: string;
  /** Ends the session in this tab. @param reason shown on the sign-in page */
  readonly onForget: (reason?: string) => void;
}

const pages = { apiRoot: '/api/dashboard/v1', home: pagePaths.home };

/** Loads the account in parallel with the data of its workspace. */
async function loadSession(api: Api) {
  const me = await api.get<Me>('/me');
  return { me, programs: me.workspace ? await loadAll<Program>(api, '/programs') : [] };
}

/** Loads the session. A person without a workspace creates one first. */
export const SignedInApp = ({ firstToken, onForget }: SignedInAppProps) => (
  <SignedIn pages={pages} firstToken={firstToken} onForget={onForget} load={loadSession}>
    {({ value, ...rest }) => {
      const session = { ...rest, ...value };
      const { workspace } = value.me;
      return workspace ? (
        <SessionContext.Provider value={{ ...session, workspace, isOwner: workspace.role === 'owner' }}>
          <WorkspaceFrame />
        </SessionContext.Provider>
      ) : (
        <NewWorkspacePage session={session} />
      );
    }}
  </SignedIn>
);
