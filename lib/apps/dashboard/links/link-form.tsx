import type { ComponentChildren } from 'preact';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { Field } from '#lib/apps/web/parts/forms/field.tsx';
import { Form } from '#lib/apps/web/parts/forms/form.tsx';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import type { ReferralLink } from '#lib/wire/partners/partner.ts';

interface LinkFormProps {
  readonly onClose: () => void;
  readonly onAdded: () => Promise<void>;
  /** The partner who gets the link; undefined if the children contain an input `partner_id`. */
  readonly partnerId?: number;
  readonly children?: ComponentChildren;
}

export function LinkForm({ onClose, onAdded, partnerId, children }: LinkFormProps) {
  const { api } = useSession();
  const { program, path } = useProgram();
  return (
    <Form
      submit="Add link"
      onCancel={onClose}
      onSubmit={async ({ partner_id: chosen, short_link: shortLink, destination_url: destinationUrl }) => {
        await api.send<ReferralLink>('POST', `${path}/links`, {
          partner_id: partnerId ?? Number(chosen),
          short_link: shortLink || undefined,
          destination_url: destinationUrl || undefined,
        });
        await onAdded();
        onClose();
      }}
    >
      {children}
      <Field
        name="short_link"
        label="Name of the link"
        hint="3 to 64 letters, digits, - and _. It is part of the address, and no other link may have it. Empty: one is generated."
      />
      <Field
        name="destination_url"
        label="Leads to"
        placeholder={`${program.allowed_origins[0] ?? `https://${program.domain}`}/`}
        hint="A page of your site. Empty: its start."
      />
    </Form>
  );
}
