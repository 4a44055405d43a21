import { useAction } from '#lib/apps/web/hooks/use-action.ts';
import { Failure } from '#lib/apps/web/parts/table/failure.tsx';
import type { Session } from '#lib/apps/dashboard/session/session.ts';
import type { Invitation } from '#lib/wire/people/people.ts';

/** Lists the person's invitations. To accept one, a member of a workspace must leave that workspace first. */
export function Invitations({ session }: { readonly session: Session }) {
  const { invitations } = session.me;
  if (invitations.length === 0) return null;
  return (
    <section class="notice" aria-label="Invitations">
      {invitations.map((invitation) => (
        <InvitationRow key={invitation.workspace_id} invitation={invitation} session={session} />
      ))}
      {session.me.workspace && <p class="hint">Leave {session.me.workspace.name} first to accept an invitation.</p>}
    </section>
  );
}

interface InvitationRowProps {
  readonly invitation: Invitation;
  readonly session: Session;
}

function InvitationRow({ invitation, session: { api, me, reload } }: InvitationRowProps) {
  const { workspace_id, name, role, invited_by: inviter } = invitation;
  const answer = useAction(async (path: 'join' | 'decline') => {
    await api.send('POST', `/workspace/${path}`, { workspace_id });
    await reload();
  });
  const button = (path: 'join' | 'decline', label: string, look: string) => (
    <button
      type="button"
      class={`button ${look}`}
      aria-label={`${label}: ${name}`}
      aria-disabled={answer.isPending}
      onClick={() => answer.run(path)}
    >
      {label}
    </button>
  );
  return (
    <div>
      <p>
        {inviter ?? 'Someone'} invites you to <strong>{name}</strong> as {role === 'owner' ? 'an owner' : 'a member'}.
      </p>
      {answer.error && <Failure error={answer.error} />}
      <div class="form-buttons">
        {!me.workspace && button('join', 'Accept', 'primary')}
        {button('decline', 'Decline', '')}
      </div>
    </div>
  );
}
