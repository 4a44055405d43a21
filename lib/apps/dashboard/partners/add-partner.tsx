import { useProgram } from '#lib/apps/dashboard/current-program.ts';
import { Field } from '#lib/apps/dashboard/parts/field.tsx';
import { Form } from '#lib/apps/dashboard/parts/form.tsx';
import { useSession } from '#lib/apps/dashboard/session.ts';
import type { Partner, ReferralLink } from '#lib/wire/partner.ts';

interface AddPartnerProps {
  readonly onClose: () => void;
  readonly onAdded: () => Promise<void>;
}

/** A new partner with a first link: without one there is nothing to share. */
export function AddPartner({ onClose, onAdded }: AddPartnerProps) {
  const { api } = useSession();
  const { path } = useProgram();
  return (
    <Form
      submit="Add partner"
      onCancel={onClose}
      onSubmit={async ({ name, email }) => {
        const partner = await api.send<Partner>('POST', `${path}/partners`, { name, email });
        try {
          await api.send<ReferralLink>('POST', `${path}/links`, { partner_id: partner.id });
        } finally {
          await onAdded();
        }
        onClose();
      }}
    >
      <p class="hint">
        The partner gets a link at once; you find it under Links, where you can add another one with a name of your
        choice.
      </p>
      <Field name="name" label="Name" required maxLength={120} />
      <Field name="email" label="E-mail" type="email" required />
    </Form>
  );
}
