import { Field, Select } from '#lib/apps/web/parts/forms/field.tsx';
import { Form } from '#lib/apps/web/parts/forms/form.tsx';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import type { Member } from '#lib/wire/people/people.ts';

interface InviteMemberProps {
  readonly onClose: () => void;
  readonly onInvited: () => Promise<void>;
}

export function InviteMember({ onClose, onInvited }: InviteMemberProps) {
  const { api } = useSession();
  return (
    <Form
      submit="Invite"
      onCancel={onClose}
      onSubmit={async ({ email, role }) => {
        await api.send<Member>('POST', '/workspace/members', { email, role });
        await onInvited();
        onClose();
      }}
    >
      <p class="hint">
        No message is sent: tell them to sign in here with this address. They then find your invitation and can accept
        it.
      </p>
      <Field name="email" label="E-mail" type="email" required />
      <Select
        name="role"
        label="Role"
        options={[
          ['member', 'Member'],
          ['owner', 'Owner'],
        ]}
      />
    </Form>
  );
}
