import { useState } from 'preact/hooks';
import { useLoaded } from '#lib/apps/web/hooks/use-loaded.ts';
import { Dialog } from '#lib/apps/web/parts/forms/dialog.tsx';
import { Field } from '#lib/apps/web/parts/forms/field.tsx';
import { Form } from '#lib/apps/web/parts/forms/form.tsx';
import { Section } from '#lib/apps/web/parts/frame/section.tsx';
import { WhenLoaded } from '#lib/apps/web/parts/table/when-loaded.tsx';
import { OwedNotice } from '#lib/apps/portal/settings/owed-notice.tsx';
import { useSession } from '#lib/apps/portal/session.ts';
import type { PortalOverview } from '#lib/wire/reports/portal-overview.ts';

/** A button that closes the account. The person must first type the account's e-mail address. */
export function CloseAccountSection() {
  const [isAsking, setAsking] = useState(false);
  return (
    <Section
      id="close-account"
      title="Close your account"
      intro="It ends every partnership and deletes your address, payout details and sign-ins. Brands keep what their books need: your name, commissions and payouts. Save your data first."
    >
      <button type="button" class="button danger" onClick={() => setAsking(true)}>
        Close account…
      </button>
      {isAsking && <ClosingDialog onClose={() => setAsking(false)} />}
    </Section>
  );
}

/** Says what is lost, the money too, before the person confirms. If the amounts cannot be read, it says so. */
function ClosingDialog({ onClose }: { readonly onClose: () => void }) {
  const { api, me, signOut } = useSession();
  const overview = useLoaded(() => api.get<PortalOverview>('/overview'), [api]);
  return (
    <Dialog title="Close your account for good?" onClose={onClose}>
      <p>
        Your links stop counting, nobody can pay you by your details any more, and nobody can bring the account back.
        Whoever signs in with {me.account.email} later begins anew.
      </p>
      <WhenLoaded of={overview} what="What is still owed to you">
        {(loaded) => <OwedNotice overview={loaded} />}
      </WhenLoaded>
      {overview.state !== 'loading' && (
        <Form
          submit="Close the account"
          isDangerous
          onSubmit={async ({ confirm }) => {
            await api.send('DELETE', '/me', { confirm });
            await signOut('Your account is closed.');
          }}
          onCancel={onClose}
        >
          <Field
            name="confirm"
            label="Your e-mail address"
            hint={`Type ${me.account.email} to confirm.`}
            type="email"
            required
          />
        </Form>
      )}
    </Dialog>
  );
}
