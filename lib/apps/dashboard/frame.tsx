import type { ComponentType } from 'preact';
import { useLocation } from 'preact-iso';
import { useEffect, useState } from 'preact/hooks';
import { Frame, isReadable } from '#lib/apps/web/parts/frame/frame.tsx';
import { lastProgram } from '#lib/apps/dashboard/session/last-program.ts';
import { pagePaths } from '#lib/apps/dashboard/static/page-paths.ts';
import { loadWorkspacePage } from '#lib/apps/dashboard/program/program-pages.ts';
import { ProgramArea } from '#lib/apps/dashboard/program/program-area.tsx';
import { HomePage } from '#lib/apps/dashboard/pages/home.tsx';
import { Skeleton } from '#lib/apps/web/parts/table/skeleton.tsx';
import { NewProgramPage } from '#lib/apps/dashboard/pages/programs/new-program.tsx';
import { NotFoundPage } from '#lib/apps/dashboard/pages/not-found.tsx';
import { DashboardNavigation } from '#lib/apps/dashboard/parts/navigation.tsx';
import { useSession } from '#lib/apps/dashboard/session/session.ts';

export function WorkspaceFrame() {
  const { path } = useLocation();
  const { programs } = useSession();
  const programId = programIdIn(path);
  // The pages of the workspace have a link to the program that was open before.
  const near = programs.find(({ id }) => id === lastProgram.read()) ?? programs[0];

  return (
    <Frame path={path} navigation={<DashboardNavigation programId={programId ?? near?.id} path={path} />}>
      {programId === undefined || !isReadable(path) ? (
        <WorkspacePage path={path} />
      ) : (
        <ProgramArea key={programId} programId={programId} />
      )}
    </Frame>
  );
}

function WorkspacePage({ path }: { readonly path: string }) {
  switch (path) {
    case pagePaths.home:
      return <HomePage />;
    case pagePaths.members:
      return <LoadedPage key="members" name="MembersPage" />;
    case pagePaths.audit:
      return <LoadedPage key="audit" name="AuditPage" />;
    case pagePaths.newProgram:
      return <NewProgramPage />;
    default:
      return <NotFoundPage />;
  }
}

/** Shows a page whose script is loaded only when the page is opened, because few people open it. */
function LoadedPage({ name }: { readonly name: Parameters<typeof loadWorkspacePage>[0] }) {
  const [Loaded, setLoaded] = useState<ComponentType>();
  useEffect(() => {
    void loadWorkspacePage(name).then((page) => setLoaded(() => page));
  }, [name]);
  return Loaded ? <Loaded /> : <Skeleton lines={8} />;
}

function programIdIn(path: string): number | undefined {
  const id = /^\/programs\/(\d+)(?:\/|$)/.exec(path)?.[1];
  return id === undefined ? undefined : Number(id);
}
