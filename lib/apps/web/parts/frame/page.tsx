import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';

interface PageProps {
  readonly title: string;
  readonly intro?: ComponentChildren;
  /** Buttons for what one does here. */
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A page inside the frame: its heading names the window too. */
export function Page({ title, intro, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Referrals`;
  }, [title]);
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
