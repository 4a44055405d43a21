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
 * What an owner can do with a member. Owners cannot remove themselves, but they can leave. The service refuses both for
 * the last owner.
 */
export function MemberActions({ member, onChange }: MemberActionsProps) {
  const { api, me, reload } = useSession();
  const [isAsking, setAsking] = useState(false);
  const { account_id: accountId, email, role } = member;
  const isSelf = accountId === me.account.id;
  const swapRole = useAction(async () => {
    await api.send<Member>('POST', '/workspace/members', { email, role: role === 'owner' ? 'member' : 'owner' });
    // If owners change their own role, the session is loaded again, because this page depends on the role.
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
