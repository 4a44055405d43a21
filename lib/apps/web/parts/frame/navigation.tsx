import { type IconNode, LogOut, Menu as MenuLines, X } from 'lucide';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { BrandMark } from '#lib/apps/web/brand/brand-mark.tsx';
import { Icon } from '#lib/apps/web/parts/figures/icon.tsx';
import { Initials } from '#lib/apps/web/parts/figures/initials.tsx';

interface NavigationProps {
  readonly home: string;
  readonly path: string;
  readonly children: (drawer: Drawer) => ComponentChildren;
}

/** The part of the navigation that is closed on narrow screens until the person opens it. */
interface Drawer {
  readonly open: () => void;
  readonly close: () => void;
}

/** The navigation. On wide screens it is on the left; on narrow screens a button at the top opens it. */
export function Navigation({ home, path, children }: NavigationProps) {
  const [isOpen, setOpen] = useState(false);
  const toggle = useRef<HTMLButtonElement>(null);
  useEffect(() => setOpen(false), [path]);
  useEffect(() => {
    if (!isOpen) return undefined;
    // The listener is on the window, because not every browser focuses a button that is clicked.
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
        <a class="brand" href={home}>
          <BrandMark />
        </a>
        <button
          ref={toggle}
          type="button"
          class="button navigation-toggle"
          aria-expanded={isOpen}
          aria-controls="navigation-body"
          onClick={() => setOpen(!isOpen)}
        >
          <Icon of={isOpen ? X : MenuLines} />
          Menu
        </button>
      </div>
      <div class="navigation-body" id="navigation-body">
        {children({ open: () => setOpen(true), close: () => setOpen(false) })}
      </div>
    </header>
  );
}

interface NavigationLinkProps {
  readonly href: string;
  /** Query to append to the link. */
  readonly search?: string;
  readonly path: string;
  readonly title: string;
  readonly icon: IconNode;
  /** True if pages that do not belong to this link have paths that begin with the link's path. */
  readonly isAlone?: boolean;
}

export const NavigationLink = ({ href, search = '', path, title, icon, isAlone = false }: NavigationLinkProps) => (
  <a href={`${href}${search}`} aria-current={currentOf(href, path, isAlone)}>
    <Icon of={icon} />
    {title}
  </a>
);

/** The value of `aria-current`: whether the link leads to the current page, or to the list that contains it. */
function currentOf(href: string, path: string, isAlone: boolean): 'page' | 'true' | undefined {
  if (href === path) return 'page';
  return !isAlone && path.startsWith(`${href}/`) ? 'true' : undefined;
}

interface AccountProps {
  readonly email: string;
  readonly role: string;
  readonly signOut: () => Promise<void>;
}

/** Shows the account that is signed in, with a button for signing out. */
export const Account = ({ email, role, signOut }: AccountProps) => (
  <div class="account">
    <Initials of={email} />
    <p>
      <span class="account-email" title={email}>
        {email}
      </span>
      <span class="muted">{role}</span>
    </p>
    <button type="button" class="button small" onClick={() => void signOut()}>
      <Icon of={LogOut} />
      Sign out
    </button>
  </div>
);
