import {
  Activity,
  BadgePercent,
  BookOpen,
  ChartLine,
  ChevronsUpDown,
  CodeXml,
  History,
  type IconNode,
  Link,
  SlidersHorizontal,
  Ticket,
  UserCheck,
  UserCog,
  Users,
  Wallet,
  Webhook,
} from 'lucide';
import { Menu } from '#lib/apps/web/parts/forms/menu.tsx';
import { Account, Navigation, NavigationLink } from '#lib/apps/web/parts/frame/navigation.tsx';
import { Icon } from '#lib/apps/web/parts/figures/icon.tsx';
import { PortalLink } from '#lib/apps/dashboard/parts/program/portal-link.tsx';
import { SearchBox } from '#lib/apps/dashboard/parts/filters/search-box.tsx';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { pagePaths, type ProgramPage, programPath } from '#lib/apps/dashboard/static/page-paths.ts';

const programPages: readonly (readonly [ProgramPage, string, IconNode])[] = [
  ['overview', 'Overview', ChartLine],
  ['partners', 'Partners', Users],
  ['links', 'Links', Link],
  ['codes', 'Codes', Ticket],
  ['customers', 'Customers', UserCheck],
  ['commissions', 'Commissions', BadgePercent],
  ['payouts', 'Payouts', Wallet],
  ['events', 'Events', Activity],
  ['settings', 'Settings', SlidersHorizontal],
];

interface DashboardNavigationProps {
  readonly programId?: number;
  readonly path: string;
}

/** Links to the pages of the program and of the workspace. */
export function DashboardNavigation({ programId, path }: DashboardNavigationProps) {
  const { me, workspace, isOwner, signOut } = useSession();
  return (
    <Navigation home={pagePaths.home} path={path}>
      {({ open, close }) => (
        <>
          <ProgramSwitcher programId={programId} />
          {programId !== undefined && <SearchBox programId={programId} onShow={open} onSearch={close} />}
          {programId !== undefined && (
            <nav aria-label="Program">
              {programPages.map(([page, title, icon]) => (
                <NavigationLink
                  key={page}
                  href={programPath(page, programId)}
                  path={path}
                  title={title}
                  icon={icon}
                  isAlone={page === 'overview'}
                />
              ))}
            </nav>
          )}
          <nav aria-label="Workspace" class="navigation-workspace">
            <NavigationLink href={pagePaths.members} path={path} title="Members" icon={UserCog} />
            {isOwner && <NavigationLink href={pagePaths.audit} path={path} title="Audit list" icon={History} />}
            <PortalLink />
          </nav>
          <nav aria-label="Developers" class="navigation-workspace">
            <p class="navigation-title">Developers</p>
            {programId !== undefined && (
              <>
                <NavigationLink href={programPath('setup', programId)} path={path} title="Set-up" icon={CodeXml} />
                <NavigationLink href={programPath('webhooks', programId)} path={path} title="Webhooks" icon={Webhook} />
              </>
            )}
            <a href="/docs/errors" target="_blank">
              <Icon of={BookOpen} />
              Error reference
            </a>
          </nav>
          <Account email={me.account.email} role={workspace.role === 'owner' ? 'Owner' : 'Member'} signOut={signOut} />
        </>
      )}
    </Navigation>
  );
}

function ProgramSwitcher({ programId }: { readonly programId?: number }) {
  const { programs, workspace } = useSession();
  const current = programs.find(({ id }) => id === programId);
  return (
    <Menu
      summary={
        <span class="switcher">
          <span class="visually-hidden">Switch program, now </span>
          <span class="switcher-names">
            <span class="switcher-name">{current?.name ?? 'Choose a program'}</span>
            <span class="switcher-workspace">{workspace.name}</span>
          </span>
          <Icon of={ChevronsUpDown} />
        </span>
      }
    >
      {programs.map(({ id, name, status, sandbox }) => (
        <a key={id} href={programPath('overview', id)} aria-current={id === programId ? 'true' : undefined}>
          {name}
          {sandbox && <span class="muted"> (sandbox)</span>}
          {status === 'paused' && <span class="muted"> (paused)</span>}
        </a>
      ))}
      <a class="menu-last" href={pagePaths.newProgram}>
        New program…
      </a>
    </Menu>
  );
}
