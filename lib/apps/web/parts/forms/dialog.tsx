import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { mayLeave } from '#lib/apps/web/unsaved.ts';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** The browser's own dialog: it keeps the focus inside, closes on Escape and gives the focus back. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();

  // Before the next picture: a dialog that is not open yet, or a focus that is nowhere, would be one.
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
  /** To a second Escape the browser closes a dialog, whatever became of the first. */
  const closeOnEscape = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') closeInstead(event);
  };
  return (
    <dialog ref={dialog} aria-labelledby={id} onKeyDown={closeOnEscape} onCancel={closeInstead}>
      <header class="dialog-header">
        <h2 id={id}>{title}</h2>
        <button type="button" class="button quiet" aria-label="Close" onClick={close}>
          <span aria-hidden="true">×</span>
        </button>
      </header>
      {children}
    </dialog>
  );
}
