import { X } from 'lucide';
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { mayLeave } from '#lib/apps/web/forms/unsaved.ts';
import { Icon } from '#lib/apps/web/parts/figures/icon.tsx';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** The browser's native dialog, which traps the focus, closes on Escape and restores the focus. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();

  // The effect runs before the browser paints, so that no frame shows a closed dialog or a lost focus.
  useLayoutEffect(() => {
    const element = dialog.current!;
    const opener = document.activeElement;
    element.showModal();
    return () => {
      element.close();
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);

  const close = (): void => {
    if (mayLeave(dialog.current!)) onClose();
  };
  function closeInstead(event: Event): void {
    event.preventDefault();
    close();
  }
  /**
   * Handles Escape here, because on a second Escape the browser would close the dialog even if the first one was
   * prevented.
   */
  const closeOnEscape = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    // The dialog may be inside another one, which stays open.
    event.stopPropagation();
    closeInstead(event);
  };
  return (
    <dialog ref={dialog} aria-labelledby={id} onKeyDown={closeOnEscape} onCancel={closeInstead}>
      <header class="dialog-header">
        <h2 id={id}>{title}</h2>
        <button type="button" class="button quiet" aria-label="Close" onClick={close}>
          <Icon of={X} />
        </button>
      </header>
      {children}
    </dialog>
  );
}
