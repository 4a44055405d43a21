import type { Entered } from '#lib/apps/web/forms/entered.ts';

/** The current values of a form's fields. */
export const enteredIn = (form: HTMLFormElement): Entered =>
  Object.fromEntries(
    [...new FormData(form)].map(([name, value]) => [name, typeof value === 'string' ? value.trim() : value.name]),
  );
