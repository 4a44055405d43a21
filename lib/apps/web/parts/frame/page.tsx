import type { ComponentChildren } from 'preact';
import { usePageTitle } from '#lib/apps/web/brand/brand-context.ts';

interface PageProps {
  readonly title: string;
  readonly intro?: ComponentChildren;
  /** Buttons for the page's main actions. */
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A page inside the frame. Its heading is also the window's title. */
export function Page({ title, intro, actions, children }: PageProps) {
  usePageTitle(title);
  return (
    <>
      <header class="page-header">
        <div>
          <h1 tabIndex={-1}>{title}</h1>
          {intro && <p class="page-intro">{intro}</p>}
        </div>
        {actions && <div class="page-actions">{actions}</div>}
      </header>
      {children}
    </>
  );
}
