import { useState } from 'preact/hooks';
import { useProgram } from '#lib/apps/dashboard/current-program.ts';
import { CopyButton } from '#lib/apps/web/parts/copy-button.tsx';
import { Field } from '#lib/apps/web/parts/field.tsx';
import { Form } from '#lib/apps/web/parts/form.tsx';
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
  const [link, setLink] = useState<ReferralLink>();
  if (link) return <FirstLink link={link} onClose={onClose} />;
  return (
    <Form
      submit="Add partner"
      onCancel={onClose}
      onSubmit={async ({ name, email }) => {
        const partner = await api.send<Partner>('POST', `${path}/partners`, { name, email });
        try {
          setLink(await api.send<ReferralLink>('POST', `${path}/links`, { partner_id: partner.id }));
        } finally {
          await onAdded();
        }
      }}
    >
      <p class="hint">
        The partner gets a link at once. You can add another one with a name of your choice under Links.
      </p>
      <Field name="name" label="Name" required maxLength={120} />
      <Field name="email" label="E-mail" type="email" required />
    </Form>
  );
}

interface FirstLinkProps {
  readonly link: ReferralLink;
  readonly onClose: () => void;
}

function FirstLink({ link: { url, partner_name: name }, onClose }: FirstLinkProps) {
  return (
    <>
      <p>
        This is the link of {name}. Send it to them: whoever comes to your site through it, and buys, is their customer.
      </p>
      <p class="link-line">
        <code>{url}</code>
        <CopyButton text={url} what="the link" />
      </p>
      <div class="form-buttons">
        <button type="button" class="button primary" onClick={onClose} ref={(button) => button?.focus()}>
          Done
        </button>
      </div>
    </>
  );
}
