import { ChevronLeft } from 'lucide';
import type { ComponentChildren } from 'preact';
import { usePageTitle } from '#lib/apps/web/brand/brand-context.ts';
import { Icon } from '#lib/apps/web/parts/figures/icon.tsx';

interface PageProps {
  readonly title: string;
  /** A link to the list that the page belongs to. */
  readonly back?: ComponentChildren;
  readonly intro?: ComponentChildren;
  /** Buttons for the main actions of the page. */
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A page inside the frame. Its heading is also the window's title. */
export function Page({ title, back, intro, actions, children }: PageProps) {
  usePageTitle(title);
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
