import type { Entered } from '#lib/apps/web/forms/entered.ts';

/** Returns what the person has entered in a form so far. */
export const enteredIn = (form: HTMLFormElement): Entered =>
  Object.fromEntries(
    [...new FormData(form)].map(([name, value]) => [name, typeof value === 'string' ? value.trim() : value.name]),
  );
