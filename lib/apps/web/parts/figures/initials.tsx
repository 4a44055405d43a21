import { initialsOf } from '#lib/apps/web/format.ts';

/** The initials of a person or program in a circle, which is shown next to the name. */
export const Initials = ({ of }: { readonly of: string }) => (
  <span class="initials" data-letters={initialsOf(of)} aria-hidden="true" />
);
