import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface MenuProps {
  /** Content of the closed menu. */
  readonly summary: ComponentChildren;
  readonly children: ComponentChildren;
}

/**
 * A button that opens a list of links and buttons. It closes on Escape, on a selection, and when focus or pointer leave
 * it.
 */
export function Menu({ summary, children }: MenuProps) {
  const details = useRef<HTMLDetailsElement>(null);
  const close = () => details.current?.removeAttribute('open');

  useEffect(() => {
    const closeOutside = ({ target }: Event) => {
      if (!details.current?.contains(target as Node)) close();
    };
    addEventListener('pointerdown', closeOutside);
    addEventListener('focusin', closeOutside);
    return () => {
      removeEventListener('pointerdown', closeOutside);
      removeEventListener('focusin', closeOutside);
    };
  }, []);

  function closeOnEscape(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || !details.current?.open) return;
    // Closes only the menu, not an element that contains it.
    event.stopPropagation();
    close();
    details.current.querySelector('summary')?.focus();
  }
  return (
    <details class="menu" ref={details} onKeyDown={closeOnEscape}>
      <summary>{summary}</summary>
      <div class="menu-items" onClick={close}>
        {children}
      </div>
    </details>
  );
}
