import { Route, Router } from 'preact-iso';
import { useEffect, useLayoutEffect, useMemo } from 'preact/hooks';
import { useLoaded } from '#lib/apps/web/hooks/use-loaded.ts';
import { WhenLoaded } from '#lib/apps/web/parts/table/when-loaded.tsx';
import { CurrentProgramContext, type CurrentProgram } from '#lib/apps/portal/current-program.ts';
import { CandidatePage } from '#lib/apps/portal/pages/joining/candidate.tsx';
import { ForeignProgramPage } from '#lib/apps/portal/pages/joining/foreign-program.tsx';
import { NotFoundPage } from '#lib/apps/portal/pages/not-found.tsx';
import { ProgramNotices } from '#lib/apps/portal/parts/program-notices.tsx';
import { partnerPages, preloadPages } from '#lib/apps/portal/portal-pages.ts';
import { useSession } from '#lib/apps/portal/session.ts';
import { type PartnerPage, partnerPath, portalPaths } from '#lib/apps/portal/static/page-paths.ts';
import type { PortalProgram } from '#lib/wire/partners/portal-program.ts';
import { apiAs, VIEW_AS } from '#lib/apps/portal/view-as.ts';

const routes = (Object.keys(partnerPages) as PartnerPage[]).map((page) => ({
  // The router writes a parameter as `:id` and not as `{id}`.
  path: portalPaths[page].replaceAll(/\{(\w+)\}/g, ':$1'),
  component: partnerPages[page],
}));

/** The scripts of the other pages are loaded after this time, so that they do not slow down the first page. */
const PRELOAD_AFTER_MS = 1_000;

/** Whether the person is a partner, or was one. A former partner can still read what was earned. */
const isPartner = ({ status }: PortalProgram): boolean => status === 'active' || status === 'removed';

/** Gives the program the name of its brand, because partners know the program by that name. */
const underBrand = (program: PortalProgram): PortalProgram => ({ ...program, name: program.brand.name });

interface ProgramAreaProps {
  readonly programId: number;
  /** If an owner is viewing the pages, the id of the partner. */
  readonly viewAs: string | undefined;
  /** Called with the program when it is loaded. */
  readonly onOpened: (program: PortalProgram) => void;
}

/** The pages of one program. The program is loaded at first, and again when a page has changed it. */
export function ProgramArea({ programId, viewAs, onOpened }: ProgramAreaProps) {
  const session = useSession();
  const path = `/programs/${programId}`;
  const api = useMemo(() => (viewAs === undefined ? session.api : apiAs(session.api, viewAs)), [session.api, viewAs]);
  const loading = useLoaded(async () => underBrand(await api.get<PortalProgram>(path)), [api, path]);
  const opened = loading.state === 'ready' ? loading.value : undefined;
  useLayoutEffect(() => opened && onOpened(opened), [opened]);
  useEffect(() => {
    const timer = setTimeout(() => void preloadPages(), PRELOAD_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);

  const addressOf: CurrentProgram['addressOf'] = (page, of) => {
    const address = partnerPath(page, programId, of);
    return viewAs === undefined ? address : `${address}?${new URLSearchParams({ [VIEW_AS]: viewAs })}`;
  };
  if (viewAs === undefined && loading.state === 'failed' && loading.error.status === 404) return <ForeignProgramPage />;
  return (
    <WhenLoaded of={loading}>
      {(program) => (
        <CurrentProgramContext.Provider
          value={{
            program,
            api,
            path,
            mayChange: viewAs === undefined && program.status === 'active',
            mustAccept: program.status === 'active' && program.terms !== null && program.terms.accepted_at === null,
            isOwnersView: viewAs !== undefined,
            addressOf,
            reload: loading.reload,
          }}
        >
          <ProgramNotices viewAs={viewAs} />
          {isPartner(program) ? (
            <Router>
              {routes.map((route) => (
                <Route key={route.path} {...route} />
              ))}
              <Route default component={NotFoundPage} />
            </Router>
          ) : (
            <CandidatePage />
          )}
        </CurrentProgramContext.Provider>
      )}
    </WhenLoaded>
  );
}
