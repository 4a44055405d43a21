import { useEffect, useRef, useState } from 'preact/hooks';
import { pagePaths, type ProgramPage, programPath } from '#lib/apps/dashboard/static/page-paths.ts';
import { Menu } from '#lib/apps/dashboard/parts/menu.tsx';
import { SearchBox } from '#lib/apps/dashboard/parts/search-box.tsx';
import { useSession } from '#lib/apps/dashboard/session.ts';

const programPages: readonly (readonly [ProgramPage, string])[] = [
  ['overview', 'Overview'],
  ['partners', 'Partners'],
  ['links', 'Links'],
  ['codes', 'Codes'],
  ['customers', 'Customers'],
  ['commissions', 'Commissions'],
  ['payouts', 'Payouts'],
  ['events', 'Events'],
  ['setup', 'Set-up'],
  ['settings', 'Settings'],
];

interface NavigationProps {
  readonly programId?: number;
  readonly path: string;
}

/** At the left on a wide screen; behind a button at the top on a narrow one. */
export function Navigation({ programId, path }: NavigationProps) {
  const [isOpen, setOpen] = useState(false);
  const toggle = useRef<HTMLButtonElement>(null);
  useEffect(() => setOpen(false), [path]);
  useEffect(() => {
    if (!isOpen) return undefined;
    // On the window: a click on a button does not focus it everywhere.
    const closeOnEscape = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape') return;
      setOpen(false);
      toggle.current?.focus();
    };
    addEventListener('keydown', closeOnEscape);
    return () => removeEventListener('keydown', closeOnEscape);
  }, [isOpen]);

  return (
    <header class={`navigation ${isOpen ? 'open' : ''}`}>
      <div class="navigation-top">
        <a class="brand" href={pagePaths.home}>
          <img src="/icon.svg" alt="" width="28" height="28" />
          Referrals
        </a>
        <button
          ref={toggle}
          type="button"
          class="button navigation-toggle"
          aria-expanded={isOpen}
          aria-controls="navigation-body"
          onClick={() => setOpen(!isOpen)}
        >
          Menu
        </button>
      </div>
      <div class="navigation-body" id="navigation-body">
        <ProgramSwitcher programId={programId} />
        {programId !== undefined && (
          <SearchBox programId={programId} onShow={() => setOpen(true)} onSearch={() => setOpen(false)} />
        )}
        {programId !== undefined && (
          <nav aria-label="Program">
            {programPages.map(([page, title]) => (
              <NavigationLink key={page} href={programPath(page, programId)} path={path} title={title} />
            ))}
          </nav>
        )}
        <nav aria-label="Workspace" class="navigation-workspace">
          <NavigationLink href={pagePaths.members} path={path} title="Members" />
          <a href="/docs/errors" target="_blank">
            Error reference
          </a>
        </nav>
        <Account />
      </div>
    </header>
  );
}

interface NavigationLinkProps {
  readonly href: string;
  readonly path: string;
  readonly title: string;
}

const NavigationLink = ({ href, path, title }: NavigationLinkProps) => (
  <a href={href} aria-current={currentOf(href, path)}>
    {title}
  </a>
);

/** The page itself, or the list that what is shown belongs to. An overview's path begins those of all its pages. */
function currentOf(href: string, path: string): 'page' | 'true' | undefined {
  if (href === path) return 'page';
  return href.split('/').length > 3 && path.startsWith(`${href}/`) ? 'true' : undefined;
}

function ProgramSwitcher({ programId }: { readonly programId?: number }) {
  const { programs, workspace } = useSession();
  const current = programs.find(({ id }) => id === programId);
  return (
    <Menu
      summary={
        <span class="switcher">
          <span class="visually-hidden">Switch program, now </span>
          <span class="switcher-name">{current?.name ?? 'Choose a program'}</span>
          <span class="switcher-workspace">{workspace.name}</span>
        </span>
      }
    >
      {programs.map(({ id, name, status }) => (
        <a key={id} href={programPath('overview', id)} aria-current={id === programId ? 'true' : undefined}>
          {name}
          {status === 'paused' && <span class="muted"> (paused)</span>}
        </a>
      ))}
      <a class="menu-last" href={pagePaths.newProgram}>
        New program…
      </a>
    </Menu>
  );
}

function Account() {
  const { me, workspace, signOut } = useSession();
  return (
    <div class="account">
      <p>
        <span class="account-email">{me.account.email}</span>
        <span class="muted">{workspace.role === 'owner' ? 'Owner' : 'Member'}</span>
      </p>
      <button type="button" class="button small" onClick={() => void signOut()}>
        Sign out
      </button>
    </div>
  );
}
