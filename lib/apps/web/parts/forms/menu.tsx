import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface MenuProps {
  /** What the button shows. */
  readonly summary: ComponentChildren;
  readonly children: ComponentChildren;
}

/**
 * A button that opens a list of links and buttons. The list closes when the person presses Escape or selects an entry,
 * and when the focus or a click is outside.
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
    // Escape closes only the menu, and not a dialog that contains the menu.
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
