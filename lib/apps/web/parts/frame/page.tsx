import { ChevronLeft } from 'lucide';
import type { ComponentChildren } from 'preact';
import { usePageTitle } from '#lib/apps/web/brand/brand-context.ts';
import { Icon } from '#lib/apps/web/parts/figures/icon.tsx';

interface PageProps {
  readonly title: string;
  /** The window's title, if several pages have the same heading. */
  readonly windowTitle?: string;
  /** A link to the list that the page belongs to. */
  readonly back?: ComponentChildren;
  readonly intro?: ComponentChildren;
  /** Buttons for the main actions of the page. */
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A page inside the frame. */
export function Page({ title, windowTitle = title, back, intro, actions, children }: PageProps) {
  usePageTitle(windowTitle);
  return (
    <>
      <header class="page-header">
        <div>
          {back && (
            <p class="page-back">
              <Icon of={ChevronLeft} />
              {back}
            </p>
          )}
          <h1 tabIndex={-1}>{title}</h1>
          {intro && <p class="page-intro">{intro}</p>}
        </div>
        {actions && <div class="page-actions">{actions}</div>}
      </header>
      {children}
    </>
  );
}
