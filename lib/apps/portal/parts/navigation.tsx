import {
  BadgePercent,
  ChartLine,
  ChevronsUpDown,
  FileText,
  type IconNode,
  Landmark,
  LayoutGrid,
  Link,
  SlidersHorizontal,
  Ticket,
  UserCheck,
  Wallet,
} from 'lucide';
import { Menu } from '#lib/apps/web/parts/forms/menu.tsx';
import { Account, Navigation, NavigationLink } from '#lib/apps/web/parts/frame/navigation.tsx';
import { Icon } from '#lib/apps/web/parts/figures/icon.tsx';
import { DashboardLink } from '#lib/apps/portal/parts/dashboard-link.tsx';
import { useSession } from '#lib/apps/portal/session.ts';
import { type PartnerPage, partnerPath, portalPaths } from '#lib/apps/portal/static/page-paths.ts';
import { VIEW_AS } from '#lib/apps/portal/view-as.ts';

const programPages: readonly (readonly [PartnerPage, string, IconNode])[] = [
  ['overview', 'Overview', ChartLine],
  ['links', 'Links', Link],
  ['codes', 'Codes', Ticket],
  ['customers', 'Customers', UserCheck],
  ['commissions', 'Commissions', BadgePercent],
  ['payouts', 'Payouts', Wallet],
  ['terms', 'Terms', FileText],
];

interface PortalNavigationProps {
  readonly programId: number | undefined;
  /** If an owner is viewing the pages, the id of the partner. */
  readonly viewAs: string | undefined;
  readonly path: string;
}

/** Links to the pages of the program and of the account. */
export function PortalNavigation({ programId, viewAs, path }: PortalNavigationProps) {
  const { me, signOut } = useSession();
  const joined = me.programs.find((program) => program.program_id === programId);
  const hasPages = viewAs !== undefined || joined?.status === 'active' || joined?.status === 'removed';
  const search = viewAs === undefined ? '' : `?${new URLSearchParams({ [VIEW_AS]: viewAs })}`;
  return (
    <Navigation home={portalPaths.home} path={path}>
      {() => (
        <>
          {viewAs === undefined && me.programs.length > 0 && <ProgramSwitcher programId={programId} />}
          {programId !== undefined && hasPages && (
            <nav aria-label="Program">
              {programPages.map(([page, title, icon]) => (
                <NavigationLink
                  key={page}
                  href={partnerPath(page, programId)}
                  search={search}
                  path={path}
                  title={title}
                  icon={icon}
                  isAlone={page === 'overview'}
                />
              ))}
            </nav>
          )}
          <nav aria-label="Account" class="navigation-workspace">
            {viewAs === undefined && (
              <>
                <NavigationLink href={portalPaths.home} path={path} title="Your programs" icon={LayoutGrid} isAlone />
                <NavigationLink href={portalPaths.payoutDetails} path={path} title="Payout details" icon={Landmark} />
                <NavigationLink href={portalPaths.settings} path={path} title="Settings" icon={SlidersHorizontal} />
              </>
            )}
            <DashboardLink />
          </nav>
          <Account email={me.account.email} role={viewAs === undefined ? 'Partner' : 'Looking on'} signOut={signOut} />
        </>
      )}
    </Navigation>
  );
}

function ProgramSwitcher({ programId }: { readonly programId: number | undefined }) {
  const { me } = useSession();
  const current = me.programs.find((program) => program.program_id === programId);
  return (
    <Menu
      summary={
        <span class="switcher">
          <span class="visually-hidden">Switch program, now </span>
          <span class="switcher-names">
            <span class="switcher-name">{current?.name ?? 'Choose a program'}</span>
            <span class="switcher-workspace">{current?.domain ?? 'Partner portal'}</span>
          </span>
          <Icon of={ChevronsUpDown} />
        </span>
      }
    >
      {me.programs
        .filter(({ status }) => status !== 'rejected')
        .map(({ program_id: id, name }) => (
          <a key={id} href={partnerPath('overview', id)} aria-current={id === programId ? 'true' : undefined}>
            {name}
          </a>
        ))}
    </Menu>
  );
}
