import { useLocation } from 'preact-iso';
import { useEffect, useRef } from 'preact/hooks';
import { lastProgram } from '#lib/apps/dashboard/last-program.ts';
import { pagePaths } from '#lib/apps/dashboard/static/page-paths.ts';
import { ProgramArea } from '#lib/apps/dashboard/program-area.tsx';
import { HomePage } from '#lib/apps/dashboard/pages/home.tsx';
import { MembersPage } from '#lib/apps/dashboard/pages/members.tsx';
import { NewProgramPage } from '#lib/apps/dashboard/pages/new-program.tsx';
import { NotFoundPage } from '#lib/apps/dashboard/pages/not-found.tsx';
import { Navigation } from '#lib/apps/dashboard/parts/navigation.tsx';
import { useSession } from '#lib/apps/dashboard/session.ts';

/** The frame around every page of a workspace. */
export function Frame() {
  const { path } = useLocation();
  const { programs } = useSession();
  const programId = programIdIn(path);
  // Pages of the workspace leave the way back to a program open.
  const near = programs.find(({ id }) => id === lastProgram.read()) ?? programs[0];
  const main = useRef<HTMLElement>(null);
  const shown = useRef(path);

  // To a screen reader a change of the page is silent unless the focus moves to it.
  useEffect(() => {
    if (shown.current !== path) main.current?.focus({ preventScroll: true });
    shown.current = path;
  }, [path]);

  return (
    <div class="frame">
      <a class="skip" href="#main">
        Skip to content
      </a>
      <Navigation programId={programId ?? near?.id} path={path} />
      <main id="main" tabIndex={-1} ref={main}>
        {programId === undefined || !isReadable(path) ? (
          <WorkspacePage path={path} />
        ) : (
          <ProgramArea key={programId} programId={programId} />
        )}
      </main>
    </div>
  );
}

function WorkspacePage({ path }: { readonly path: string }) {
  switch (path) {
    case pagePaths.home:
      return <HomePage />;
    case pagePaths.members:
      return <MembersPage />;
    case pagePaths.newProgram:
      return <NewProgramPage />;
    default:
      return <NotFoundPage />;
  }
}

/** The router fails at a path such as `/%E0`. */
function isReadable(path: string): boolean {
  try {
    return decodeURIComponent(path) !== '';
  } catch {
    return false;
  }
}

function programIdIn(path: string): number | undefined {
  const id = /^\/programs\/(\d+)(?:\/|$)/.exec(path)?.[1];
  return id === undefined ? undefined : Number(id);
}
