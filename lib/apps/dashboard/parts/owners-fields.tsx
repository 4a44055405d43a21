import type { ComponentChildren } from 'preact';
import { useSession } from '#lib/apps/dashboard/session.ts';

/** Fields that decide what is paid. Members read them; a form sends no field that is disabled. */
export function OwnersFields({ children }: { readonly children: ComponentChildren }) {
  const { isOwner } = useSession();
  return (
    <fieldset class="owners-fields" disabled={!isOwner}>
      {!isOwner && <p class="hint">Only a workspace owner changes the following: it decides what partners are paid.</p>}
      {children}
    </fieldset>
  );
}
