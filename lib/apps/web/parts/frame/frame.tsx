import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface FrameProps {
  readonly path: string;
  readonly navigation: ComponentChildren;
  readonly children: ComponentChildren;
}

/** Navigation beside a page. */
export function Frame({ path, navigation, children }: FrameProps) {
  const main = useRef<HTMLElement>(null);
  const shown = useRef(path);

  // To a screen reader a change of the page is silent unless the focus moves to it.
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
      </main>
    </div>
  );
}

/** The router fails at a path such as `/%E0`. */
export function isReadable(path: string): boolean {
  try {
    return decodeURIComponent(path) !== '';
  } catch {
    return false;
  }
}
