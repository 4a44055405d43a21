import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Entered } from '#lib/apps/web/forms/entered.ts';
import { enteredIn } from '#lib/apps/web/forms/entered-in.ts';
import { forgetEntered, isEntered, markEntered } from '#lib/apps/web/forms/unsaved.ts';

/** Remembers what a form contained at the start, so that the person is asked before unsaved changes are lost. */
export function useUnsaved(form: RefObject<HTMLFormElement | null>) {
  const before = useRef<Entered>({});

  /** From now on, the form's present content counts as saved. */
  function settle(): void {
    if (!form.current) return;
    before.current = enteredIn(form.current);
    forgetEntered(form.current);
  }
  // A layout effect runs before the browser paints, so before the person can enter anything.
  useLayoutEffect(() => {
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
      // Some inputs are filled after the form is shown, so the content is remembered again until the person enters
      // something.
      onFocusIn: () => {
        if (form.current && !isEntered(form.current)) before.current = enteredIn(form.current);
      },
      onInput: () => markEntered(form.current!, isUnsaved),
    },
  };
}
