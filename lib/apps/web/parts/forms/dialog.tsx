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

/**
 * A dialog of the browser. It keeps the focus inside, closes on Escape, and afterwards returns the focus to where it
 * was.
 */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();

  // A layout effect runs before the browser paints, so the dialog is open from the first frame and the focus is not
  // lost.
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
   * Closes the dialog on Escape. The browser's own handling is not used: on a second Escape it closes the dialog, even
   * if the first one was prevented because of unsaved input.
   */
  const closeOnEscape = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    // If this dialog is inside another one, Escape must not close the outer dialog as well.
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
