import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { BrandContact } from '#lib/apps/web/brand/brand-contact.tsx';

interface FrameProps {
  readonly path: string;
  readonly navigation: ComponentChildren;
  readonly children: ComponentChildren;
}

/** Shows a page with the navigation next to it. */
export function Frame({ path, navigation, children }: FrameProps) {
  const main = useRef<HTMLElement>(null);
  const shown = useRef(path);

  // Moves the focus to the new page, because otherwise screen readers do not announce that the page has changed.
  useEffect(() => {
    if (shown.current !== path) main.current?.focus({ preventScroll: true });
    shown.current = path;
  }, [path]);

  return (
    <div class="frame">
      <a class="skip" href="#main">
        Skip to content
      </a>
      {navigation}
      <main id="main" tabIndex={-1} ref={main}>
        {children}
        <BrandContact />
      </main>
    </div>
  );
}

/** Whether a path can be decoded. For a path such as `/%E0` the router would throw. */
export function isReadable(path: string): boolean {
  try {
    return decodeURIComponent(path) !== '';
  } catch {
    return false;
  }
}
