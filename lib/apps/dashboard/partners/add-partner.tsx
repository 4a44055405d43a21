import { useState } from 'preact/hooks';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { useInstallation } from '#lib/apps/web/api/installation-context.ts';
import { CopyButton } from '#lib/apps/web/parts/forms/copy-button.tsx';
import { Checkbox, Field } from '#lib/apps/web/parts/forms/field.tsx';
import { Form } from '#lib/apps/web/parts/forms/form.tsx';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { entryPaths } from '#lib/apps/web/static/entry-paths.ts';
import type { Partner, ReferralLink } from '#lib/wire/partners/partner.ts';

interface AddPartnerProps {
  readonly onClose: () => void;
  readonly onAdded: () => Promise<void>;
}

/** Adds a partner, and shows the first link, which the partner needs for sharing. */
export function AddPartner({ onClose, onAdded }: AddPartnerProps) {
  const { api } = useSession();
  const { path } = useProgram();
  const [link, setLink] = useState<ReferralLink>();
  const [invited, setInvited] = useState<Partner>();
  const [isAsking, setAsking] = useState(false);
  if (link) return <FirstLink link={link} onClose={onClose} />;
  if (invited) return <Invited partner={invited} onClose={onClose} />;
  return (
    <Form
      submit={isAsking ? 'Invite' : 'Add partner'}
      onCancel={onClose}
      onSubmit={async ({ name, email, invite }) => {
        const isInvited = invite === 'on';
        const partner = await api.send<Partner>('POST', `${path}/partners`, { name, email, invite: isInvited });
        try {
          const [first] = partner.links;
          if (isInvited) setInvited(partner);
          // A program that has as many links as it can gives none.
          else if (first === undefined) onClose();
          else setLink(await api.get<ReferralLink>(`${path}/links/${encodeURIComponent(first)}`));
        } finally {
          await onAdded();
        }
      }}
    >
      <Field name="name" label="Name" required maxLength={120} />
      <Field name="email" label="E-mail" type="email" required />
      <Checkbox
        name="invite"
        label="Ask them first"
        onChange={setAsking}
        hint="They get a mail, and accept the invitation on their own pages, and your terms with it, before anything counts for them. A person is invited once in seven days. Otherwise they are a partner at once, with a first link, and get no mail."
      />
    </Form>
  );
}

interface InvitedProps {
  readonly partner: Partner;
  readonly onClose: () => void;
}

function Invited({ partner: { name, email }, onClose }: InvitedProps) {
  const { base_url: base } = useInstallation();
  const url = `${base}${entryPaths.portal}`;
  return (
    <>
      <p>
        {name} finds the invitation for 30 days at this address, signed in as {email}:
      </p>
      <p class="link-line">
        <code>{url}</code>
        <CopyButton text={url} what="the address" />
      </p>
      <Done onClose={onClose} />
    </>
  );
}

const Done = ({ onClose }: { readonly onClose: () => void }) => (
  <div class="form-buttons">
    <button type="button" class="button primary" onClick={onClose} ref={(button) => button?.focus()}>
      Done
    </button>
  </div>
);

interface FirstLinkProps {
  readonly link: ReferralLink;
  readonly onClose: () => void;
}

function FirstLink({ link: { url, partner_name: name }, onClose }: FirstLinkProps) {
  return (
    <>
      <p>
        This is the link of {name}. Send it to them: people who come to your site through it and buy are their
        customers.
      </p>
      <p class="link-line">
        <code>{url}</code>
        <CopyButton text={url} what="the link" />
      </p>
      <Done onClose={onClose} />
    </>
  );
}
