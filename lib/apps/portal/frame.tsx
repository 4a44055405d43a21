import { Route, Router, useLocation } from 'preact-iso';
import { useState } from 'preact/hooks';
import { Branded } from '#lib/apps/web/brand/branded.tsx';
import { Frame, isReadable } from '#lib/apps/web/parts/frame/frame.tsx';
import { HomePage } from '#lib/apps/portal/pages/home.tsx';
import { NotFoundPage } from '#lib/apps/portal/pages/not-found.tsx';
import { NotShownPage } from '#lib/apps/portal/pages/not-shown.tsx';
import { PortalNavigation } from '#lib/apps/portal/parts/navigation.tsx';
import { PayoutDetailsPage, SettingsPage } from '#lib/apps/portal/portal-pages.ts';
import { ProgramArea } from '#lib/apps/portal/program-area.tsx';
import { useSession } from '#lib/apps/portal/session.ts';
import { portalPaths, programIdIn } from '#lib/apps/portal/static/page-paths.ts';
import { VIEW_AS } from '#lib/apps/portal/view-as.ts';
import type { PortalProgram } from '#lib/wire/partners/portal-program.ts';

export function PortalFrame() {
  const { me } = useSession();
  const { path, query } = useLocation();
  const [opened, setOpened] = useState<PortalProgram>();
  const programId = programIdIn(path);
  const viewAs = query[VIEW_AS];
  // The session contains the brand of each program that the person is in, but without its contact address. So the brand
  // is shown even before the program is loaded.
  const known = me.programs.find((joined) => joined.program_id === programId)?.brand;
  const brand = opened !== undefined && opened.id === programId ? opened.brand : known;
  return (
    <Branded brand={brand}>
      <Frame path={path} navigation={<PortalNavigation programId={programId} viewAs={viewAs} path={path} />}>
        <Shown path={path} programId={programId} viewAs={viewAs} onOpened={setOpened} />
      </Frame>
    </Branded>
  );
}

interface ShownProps {
  readonly path: string;
  readonly programId: number | undefined;
  readonly viewAs: string | undefined;
  readonly onOpened: (program: PortalProgram) => void;
}

function Shown({ path, programId, viewAs, onOpened }: ShownProps) {
  if (!isReadable(path)) return <NotFoundPage />;
  if (programId === undefined) return viewAs === undefined ? <AccountPages /> : <NotShownPage />;
  return <ProgramArea key={`${programId} ${viewAs}`} programId={programId} viewAs={viewAs} onOpened={onOpened} />;
}

const AccountPages = () => (
  <Router>
    <Route path={portalPaths.home} component={HomePage} />
    <Route path={portalPaths.payoutDetails} component={PayoutDetailsPage} />
    <Route path={portalPaths.settings} component={SettingsPage} />
    <Route default component={NotFoundPage} />
  </Router>
);
