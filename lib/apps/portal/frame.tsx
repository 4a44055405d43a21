import { Route, Router, useLocation } from 'preact-iso';
import { Frame, isReadable } from '#lib/apps/web/parts/frame/frame.tsx';
import { HomePage } from '#lib/apps/portal/pages/home.tsx';
import { NotFoundPage } from '#lib/apps/portal/pages/not-found.tsx';
import { NotShownPage } from '#lib/apps/portal/pages/not-shown.tsx';
import { PortalNavigation } from '#lib/apps/portal/parts/navigation.tsx';
import { PayoutDetailsPage, SettingsPage } from '#lib/apps/portal/portal-pages.ts';
import { ProgramArea } from '#lib/apps/portal/program-area.tsx';
import { portalPaths } from '#lib/apps/portal/static/page-paths.ts';
import { VIEW_AS } from '#lib/apps/portal/view-as.ts';

export function PortalFrame() {
  const { path, query } = useLocation();
  const programId = programIdIn(path);
  const viewAs = query[VIEW_AS];
  return (
    <Frame path={path} navigation={<PortalNavigation programId={programId} viewAs={viewAs} path={path} />}>
      <Shown path={path} programId={programId} viewAs={viewAs} />
    </Frame>
  );
}

interface ShownProps {
  readonly path: string;
  readonly programId: number | undefined;
  readonly viewAs: string | undefined;
}

function Shown({ path, programId, viewAs }: ShownProps) {
  if (!isReadable(path)) return <NotFoundPage />;
  if (programId === undefined) return viewAs === undefined ? <AccountPages /> : <NotShownPage />;
  return <ProgramArea key={`${programId} ${viewAs}`} programId={programId} viewAs={viewAs} />;
}

const AccountPages = () => (
  <Router>
    <Route path={portalPaths.home} component={HomePage} />
    <Route path={portalPaths.payoutDetails} component={PayoutDetailsPage} />
    <Route path={portalPaths.settings} component={SettingsPage} />
    <Route default component={NotFoundPage} />
  </Router>
);

function programIdIn(path: string): number | undefined {
  const id = /^\/partner\/programs\/(\d+)(?:\/|$)/.exec(path)?.[1];
  return id === undefined ? undefined : Number(id);
}
