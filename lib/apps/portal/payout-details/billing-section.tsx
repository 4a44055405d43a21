import { useState } from 'preact/hooks';
import { useLoaded } from '#lib/apps/web/hooks/use-loaded.ts';
import type { Entered } from '#lib/apps/web/forms/entered.ts';
import { Form } from '#lib/apps/web/parts/forms/form.tsx';
import { PartyFields } from '#lib/apps/web/parts/forms/party-fields.tsx';
import { WhenLoaded } from '#lib/apps/web/parts/table/when-loaded.tsx';
import { useSession } from '#lib/apps/portal/session.ts';
import type { Billing } from '#lib/wire/partners/portal-billing.ts';

/** A form for the person's name, address and tax id, as payout statements print them. */
export function BillingSection() {
  const { api } = useSession();
  const [isSaved, setSaved] = useState(false);
  const billing = useLoaded(() => api.get<Billing | null>('/billing'), [api]);
  return (
    <section class="card form-card stack" id="billing" aria-labelledby="billing-title">
      <h2 id="billing-title">Billing details</h2>
      <p class="hint">
        For the statements of your payouts, in all your programs. They are kept encrypted, move no money, and are all
        optional: without a name, statements show the one under which the brand lists you.
      </p>
      <WhenLoaded of={billing} what="Billing details">
        {(loaded) => (
          <Form
            // A changed key makes Preact create the fields again, with the stored values.
            key={loaded?.updated_at}
            submit="Update billing details"
            onSubmit={async (entered) => {
              setSaved(false);
              billing.replace(await api.send<Billing>('PUT', '/billing', filledIn(entered)));
              setSaved(true);
            }}
          >
            <PartyFields of={loaded} />
          </Form>
        )}
      </WhenLoaded>
      {isSaved && (
        <p class="saved" role="status">
          Saved.
        </p>
      )}
    </section>
  );
}

/** The service replaces all of the details, so a field that is left empty removes its value. */
const filledIn = (entered: Entered): Entered =>
  Object.fromEntries(Object.entries(entered).filter(([, value]) => value.trim() !== ''));
