import { useProgram } from '#lib/apps/dashboard/current-program.ts';
import { Field } from '#lib/apps/web/parts/field.tsx';
import { Form } from '#lib/apps/web/parts/form.tsx';
import { useSession } from '#lib/apps/dashboard/session.ts';
import type { Partner } from '#lib/wire/partner.ts';

interface EditPartnerProps {
  readonly partner: Partner;
  readonly onClose: () => void;
  readonly onChange: (partner: Partner) => void;
}

/** Name and e-mail, which are the same in all programs of the workspace. */
export function EditPartner({ partner, onClose, onChange }: EditPartnerProps) {
  const { api } = useSession();
  const { path } = useProgram();
  return (
    <Form
      submit="Save changes"
      onCancel={onClose}
      onSubmit={async ({ name, email }) => {
        // Only these: what somebody else has changed since this page was loaded must stay.
        const changes = {
          ...(name !== partner.name && { name }),
          ...(email !== partner.email && { email }),
        };
        if (Object.keys(changes).length > 0) {
          onChange(await api.send<Partner>('PATCH', `${path}/partners/${partner.id}`, changes));
        }
        onClose();
      }}
    >
      <p class="hint">A partner has the same name and e-mail in all programs of your workspace.</p>
      <Field name="name" label="Name" required maxLength={120} defaultValue={partner.name} />
      <Field name="email" label="E-mail" type="email" required defaultValue={partner.email ?? ''} />
    </Form>
  );
}
