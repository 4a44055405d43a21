import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Entered } from '#lib/apps/web/entered.ts';
import { enteredIn } from '#lib/apps/web/entered-in.ts';
import { forgetEntered, isEntered, noteEntered } from '#lib/apps/web/unsaved.ts';

/** Knows what stood in a form before somebody entered something, and has it asked about before it is lost. */
export function useUnsaved(form: RefObject<HTMLFormElement | null>) {
  const before = useRef<Entered>({});

  /** What stands there now is nothing that could be lost. */
  function settle(): void {
    if (!form.current) return;
    before.current = enteredIn(form.current);
    forgetEntered(form.current);
  }
  useEffect(() => {
    const element = form.current!;
    settle();
    return () => void forgetEntered(element);
  }, []);

  const isUnsaved = (): boolean =>
    form.current !== null && JSON.stringify(enteredIn(form.current)) !== JSON.stringify(before.current);
  return {
    before,
    settle,
    isUnsaved,
    listeners: {
      // Some fields are filled later than the form is shown, but before anybody enters something.
      onFocusIn: () => {
        if (form.current && !isEntered(form.current)) before.current = enteredIn(form.current);
      },
      onInput: () => noteEntered(form.current!, isUnsaved),
    },
  };
}
