import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { EditForm } from '#lib/apps/web/parts/forms/edit-form.tsx';
import { Field } from '#lib/apps/web/parts/forms/field.tsx';

import { useSession } from '#lib/apps/dashboard/session/session.ts';
import type { Partner } from '#lib/wire/partners/partner.ts';

interface EditPartnerProps {
  readonly partner: Partner;
  readonly onClose: () => void;
  readonly onChange: (partner: Partner) => void;
}

/** A form for a partner's name and e-mail address. They are the same in all programs of the workspace. */
export function EditPartner({ partner, onClose, onChange }: EditPartnerProps) {
  const { api, isOwner } = useSession();
  const { path } = useProgram();
  return (
    <EditForm
      api={api}
      path={`${path}/partners/${partner.id}`}
      of={partner}
      submit="Save changes"
      onCancel={onClose}
      fieldsIn={({ name, email }) => ({ name, ...(isOwner && { email }) })}
      onSaved={(saved) => {
        onChange(saved);
        onClose();
      }}
    >
      {({ name, email }) => (
        <>
          <p class="hint">A partner has the same name and e-mail in all programs of your workspace.</p>
          <Field name="name" label="Name" required maxLength={120} defaultValue={name} />
          {isOwner ? (
            <Field
              name="email"
              label="E-mail"
              type="email"
              required
              hint="The former address is notified of a change, and nothing is paid to the partner for 72 hours."
              defaultValue={email ?? ''}
            />
          ) : (
            <p class="hint">The address is {email}. Only a workspace owner changes it.</p>
          )}
        </>
      )}
    </EditForm>
  );
}
