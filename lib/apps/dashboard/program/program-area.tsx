import { Route, Router } from 'preact-iso';
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { CurrentProgramContext } from '#lib/apps/dashboard/program/current-program.ts';
import { useLoaded } from '#lib/apps/web/hooks/use-loaded.ts';
import { lastProgram } from '#lib/apps/dashboard/session/last-program.ts';
import { NotFoundPage, ProgramNotFoundPage } from '#lib/apps/dashboard/pages/not-found.tsx';
import { KeyNotice } from '#lib/apps/dashboard/parts/program/key-notice.tsx';
import { SandboxNotice } from '#lib/apps/web/parts/frame/sandbox-notice.tsx';
import { WhenLoaded } from '#lib/apps/web/parts/table/when-loaded.tsx';
import { loadNotice, preloadPages, programPages } from '#lib/apps/dashboard/program/program-pages.ts';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { pagePaths, type ProgramPage } from '#lib/apps/dashboard/static/page-paths.ts';
import type { Program } from '#lib/wire/programs/program.ts';

const routes = (Object.keys(programPages) as ProgramPage[]).map((page) => ({
  // The router writes a parameter as `:id` and not as `{id}`.
  path: pagePaths[page].replaceAll(/\{(\w+)\}/g, ':$1'),
  component: programPages[page],
}));

/** The scripts of the other pages are loaded after this time, so that they do not slow down the first page. */
const PRELOAD_AFTER_MS = 1_000;

/** The pages of one program. The program is loaded at first, and again when a page has changed it. */
export function ProgramArea({ programId }: { readonly programId: number }) {
  const { api } = useSession();
  const path = `/programs/${programId}`;
  const loading = useLoaded(() => api.answer<Program>(path), [api, path]);
  const [Notice, setNotice] = useState<ComponentType>();
  useEffect(() => lastProgram.keep(programId), [programId]);
  useEffect(() => {
    let isShown = true;
    const timer = setTimeout(() => {
      void preloadPages();
      void loadNotice().then((notice) => isShown && setNotice(() => notice));
    }, PRELOAD_AFTER_MS);
    return () => {
      isShown = false;
      clearTimeout(timer);
    };
  }, []);
  if (loading.state === 'failed' && loading.error.status === 404) return <ProgramNotFoundPage />;
  return (
    <WhenLoaded of={loading}>
      {({ data: program, warnings = [] }) => (
        <CurrentProgramContext.Provider value={{ program, warnings, path, reload: loading.reload }}>
          <SandboxNotice sandbox={program.sandbox} />
          <KeyNotice />
          {Notice && <Notice />}
          <Router>
            {routes.map((route) => (
              <Route key={route.path} {...route} />
            ))}
            <Route default component={NotFoundPage} />
          </Router>
        </CurrentProgramContext.Provider>
      )}
    </WhenLoaded>
  );
}
