import { useState } from 'preact/hooks';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { useInstallation } from '#lib/apps/web/api/installation-context.ts';
import { CopyButton } from '#lib/apps/web/parts/forms/copy-button.tsx';
import { Field, Select } from '#lib/apps/web/parts/forms/field.tsx';
import { ChoiceChips } from '#lib/apps/web/parts/table/choice-chips.tsx';
import { InviteSeveral } from '#lib/apps/dashboard/partners/invite-several.tsx';
import { loadAll } from '#lib/apps/web/api/load-all.ts';
import { useLoaded } from '#lib/apps/web/hooks/use-loaded.ts';
import { Form } from '#lib/apps/web/parts/forms/form.tsx';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { programPath } from '#lib/apps/dashboard/static/page-paths.ts';
import { entryPaths } from '#lib/apps/web/static/entry-paths.ts';
import type { Group } from '#lib/wire/programs/terms.ts';
import type { Partner, ReferralLink } from '#lib/wire/partners/partner.ts';

interface AddPartnerProps {
  readonly onClose: () => void;
  readonly onAdded: () => Promise<void>;
}

const ways = [
  ['one', 'One'],
  ['several', 'Several'],
] as const;

/** Invites or adds people: one person, or a list of people. */
export function AddPartner(props: AddPartnerProps) {
  const [way, setWay] = useState<string>('one');
  const [isDone, setDone] = useState(false);
  return (
    <>
      {!isDone && <ChoiceChips label="Number of people" value={way} onChange={setWay} options={ways} />}
      {way === 'one' ? <AddOne {...props} onDone={() => setDone(true)} /> : <InviteSeveral {...props} />}
    </>
  );
}

const choices = [
  ['invite', 'Invite by mail'],
  ['add', 'Add at once, without a mail'],
] as const;

const hints: Readonly<Record<string, string>> = {
  invite:
    'They accept on their own pages, and your terms with it, before anything counts for them. A person is invited once in seven days.',
  add: 'They are a partner at once, with a first link, and get no mail.',
};

/**
 * Invites or adds one person. When a partner was added, shows the partner's first link, which the owner can then send
 * to the partner.
 */
function AddOne({ onClose, onAdded, onDone }: AddPartnerProps & { readonly onDone: () => void }) {
  const { api, isOwner } = useSession();
  const { path } = useProgram();
  const groups = useLoaded(() => loadAll<Group>(api, `${path}/groups`), [api, path]);
  const [link, setLink] = useState<ReferralLink>();
  const [invited, setInvited] = useState<Asked>();
  const [choice, setChoice] = useState('invite');
  if (link) return <FirstLink link={link} onClose={onClose} />;
  if (invited) return <Invited {...invited} onClose={onClose} />;
  const isAsking = choice === 'invite';
  return (
    <Form
      submit={isAsking ? 'Invite' : 'Add partner'}
      onCancel={onClose}
      onSubmit={async ({ name, email, group_id: groupId, short_link: shortLink, code }) => {
        const partner = await api.send<Partner>('POST', `${path}/partners`, {
          name,
          email,
          invite: isAsking,
          group_id: groupId ? Number(groupId) : undefined,
          short_link: shortLink || undefined,
          code: code || undefined,
        });
        onDone();
        try {
          const [first] = partner.links;
          if (isAsking) setInvited({ partner, code });
          // There is no first link if the program already has as many links as it may have.
          else if (first === undefined) onClose();
          else setLink(await api.get<ReferralLink>(`${path}/links/${encodeURIComponent(first)}`));
        } finally {
          await onAdded();
        }
      }}
    >
      <Field name="name" label="Name" required maxLength={120} />
      <Field name="email" label="E-mail" type="email" required />
      <Select name="how" label="How" value={choice} onChange={setChoice} options={choices} hint={hints[choice]} />
      {isOwner && groups.state === 'ready' && groups.value.length > 0 && (
        <Select
          name="group_id"
          label="Group"
          options={[['', 'None'], ...groups.value.map(({ id, name }) => [String(id), name] as const)]}
        />
      )}
      <Field
        name="short_link"
        label="First link"
        maxLength={64}
        placeholder="ana"
        hint="How it is called in the address. Empty: like the person. Invited people get it when they accept."
      />
      <Field
        name="code"
        label="Coupon code"
        maxLength={64}
        hint="Empty: none. Invited people get it when they accept, unless you give it away before."
      />
    </Form>
  );
}

interface Asked {
  readonly partner: Partner;
  /** The coupon code that was entered; empty for none. */
  readonly code: string | undefined;
}

interface InvitedProps extends Asked {
  readonly onClose: () => void;
}

function Invited({ partner: { id, name, email }, code, onClose }: InvitedProps) {
  const { program } = useProgram();
  const { base_url: base } = useInstallation();
  const url = `${base}${entryPaths.portal}`;
  return (
    <>
      <p>
        <strong>{name} is invited by mail.</strong> {name} finds the invitation for 30 days at this address, signed in
        as {email}:
      </p>
      <p class="link-line">
        <code>{url}</code>
        <CopyButton text={url} what="the address" />
      </p>
      <p>
        {code ? `They get the code ${code} when they accept. ` : ''}Terms for this partner alone are set on{' '}
        <a href={programPath('partner', program.id, id)}>the page of {name}</a>.
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
