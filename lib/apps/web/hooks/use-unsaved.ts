import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Entered } from '#lib/apps/web/forms/entered.ts';
import { enteredIn } from '#lib/apps/web/forms/entered-in.ts';
import { forgetEntered, isEntered, markEntered } from '#lib/apps/web/forms/unsaved.ts';

/** Remembers a form's initial values, and asks the person before unsaved changes are lost. */
export function useUnsaved(form: RefObject<HTMLFormElement | null>) {
  const before = useRef<Entered>({});

  /** Takes the present values as the saved ones. */
  function settle(): void {
    if (!form.current) return;
    before.current = enteredIn(form.current);
    forgetEntered(form.current);
  }
  // The effect runs before the browser paints, because the first input of a quick person must not become part of the
  // initial values.
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
      // Some fields are filled after the form is shown, but before the person enters anything.
      onFocusIn: () => {
        if (form.current && !isEntered(form.current)) before.current = enteredIn(form.current);
      },
      onInput: () => markEntered(form.current!, isUnsaved),
    },
  };
}
