import { useState } from 'preact/hooks';
import { useAction } from '#lib/apps/web/hooks/use-action.ts';
import { Dialog } from '#lib/apps/web/parts/forms/dialog.tsx';
import { Failure } from '#lib/apps/web/parts/table/failure.tsx';
import { Form } from '#lib/apps/web/parts/forms/form.tsx';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import type { Member } from '#lib/wire/people/people.ts';

interface MemberActionsProps {
  readonly member: Member;
  readonly onChange: () => Promise<void>;
}

/**
 * An owner's actions on a member. The service refuses to remove the last owner; owners cannot remove themselves but can
 * leave.
 */
export function MemberActions({ member, onChange }: MemberActionsProps) {
  const { api, me, reload } = useSession();
  const [isAsking, setAsking] = useState(false);
  const { account_id: accountId, email, role } = member;
  const isSelf = accountId === me.account.id;
  const swapRole = useAction(async () => {
    await api.send<Member>('POST', '/workspace/members', { email, role: role === 'owner' ? 'member' : 'owner' });
    // Reloads the session after a change of the viewer's own role, which decides what this page shows.
    await Promise.all([onChange(), isSelf ? reload() : undefined]);
  });
  return (
    <>
      <div class="row-actions">
        <button
          type="button"
          class="button small"
          aria-label={`Make ${role === 'owner' ? 'member' : 'owner'}: ${email}`}
          aria-disabled={swapRole.isPending}
          onClick={swapRole.run}
        >
          {role === 'owner' ? 'Make member' : 'Make owner'}
        </button>
        {!isSelf && (
          <button type="button" class="button small" aria-label={`Remove ${email}`} onClick={() => setAsking(true)}>
            Remove
          </button>
        )}
      </div>
      {swapRole.error && <Failure error={swapRole.error} />}
      {isAsking && (
        <Dialog title={`Remove ${email}?`} onClose={() => setAsking(false)}>
          <p>They lose access to all programs of this workspace at once.</p>
          <Form
            submit="Remove"
            isDangerous
            onCancel={() => setAsking(false)}
            onSubmit={async () => {
              await api.send('DELETE', `/workspace/members?account_id=${encodeURIComponent(accountId ?? email)}`);
              setAsking(false);
              await onChange();
            }}
          />
        </Dialog>
      )}
    </>
  );
}
