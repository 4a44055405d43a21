import type { Entered } from '#lib/apps/web/entered.ts';

/** What stands in a form's fields now. */
export const enteredIn = (form: HTMLFormElement): Entered =>
  Object.fromEntries(
    [...new FormData(form)].map(([name, value]) => [name, typeof value === 'string' ? value.trim() : value.name]),
  );
