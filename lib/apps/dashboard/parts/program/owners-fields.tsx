import type { ComponentChildren } from 'preact';
import { useSession } from '#lib/apps/dashboard/session/session.ts';

/** Contains fields that only owners may change. For members they are disabled; browsers do not send disabled fields. */
export function OwnersFields({ children }: { readonly children: ComponentChildren }) {
  const { isOwner } = useSession();
  return (
    <fieldset class="owners-fields" disabled={!isOwner}>
      {!isOwner && <p class="hint">Only a workspace owner changes the following: it decides what partners are paid.</p>}
      {children}
    </fieldset>
  );
}
