import { Route, Router } from 'preact-iso';
import { useEffect } from 'preact/hooks';
import { CurrentProgramContext } from '#lib/apps/dashboard/current-program.ts';
import { useLoaded } from '#lib/apps/dashboard/hooks/use-loaded.ts';
import { lastProgram } from '#lib/apps/dashboard/last-program.ts';
import { pagePaths, type ProgramPage } from '#lib/apps/dashboard/static/page-paths.ts';
import { CommissionsPage } from '#lib/apps/dashboard/pages/commissions.tsx';
import { EventsPage } from '#lib/apps/dashboard/pages/events.tsx';
import { LinksPage } from '#lib/apps/dashboard/pages/links.tsx';
import { NotFoundPage } from '#lib/apps/dashboard/pages/not-found.tsx';
import { OverviewPage } from '#lib/apps/dashboard/pages/overview.tsx';
import { PartnersPage } from '#lib/apps/dashboard/pages/partners.tsx';
import { SalePage } from '#lib/apps/dashboard/pages/sale.tsx';
import { SettingsPage } from '#lib/apps/dashboard/pages/settings.tsx';
import { SetupPage } from '#lib/apps/dashboard/pages/setup.tsx';
import { KeyNotice } from '#lib/apps/dashboard/parts/key-notice.tsx';
import { WhenLoaded } from '#lib/apps/dashboard/parts/when-loaded.tsx';
import { useSession } from '#lib/apps/dashboard/session.ts';
import type { Program } from '#lib/wire/program.ts';

/** The pages of one program. It is asked for once, and again when a page changed it. */
export function ProgramArea({ programId }: { readonly programId: number }) {
  const { api } = useSession();
  const path = `/programs/${programId}`;
  const loading = useLoaded(() => api.answer<Program>(path), [api, path]);
  useEffect(() => lastProgram.keep(programId), [programId]);
  return (
    <WhenLoaded of={loading}>
      {({ data: program, warnings = [] }) => (
        <CurrentProgramContext.Provider value={{ program, warnings, path, reload: loading.reload }}>
          <KeyNotice />
          <Router>
            <Route path={routeOf('overview')} component={OverviewPage} />
            <Route path={routeOf('setup')} component={SetupPage} />
            <Route path={routeOf('partners')} component={PartnersPage} />
            <Route path={routeOf('links')} component={LinksPage} />
            <Route path={routeOf('commissions')} component={CommissionsPage} />
            <Route path={routeOf('events')} component={EventsPage} />
            <Route path={routeOf('sale')} component={SalePage} />
            <Route path={routeOf('settings')} component={SettingsPage} />
            <Route default component={NotFoundPage} />
          </Router>
        </CurrentProgramContext.Provider>
      )}
    </WhenLoaded>
  );
}

/** In the router's spelling. */
const routeOf = (page: ProgramPage): string => pagePaths[page].replace('{id}', ':id');
