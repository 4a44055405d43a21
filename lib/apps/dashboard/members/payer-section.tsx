import { useLoaded } from '#lib/apps/web/hooks/use-loaded.ts';
import type { Entered } from '#lib/apps/web/forms/entered.ts';
import { EditForm } from '#lib/apps/web/parts/forms/edit-form.tsx';
import { Checkbox, Field } from '#lib/apps/web/parts/forms/field.tsx';
import { PartyFields } from '#lib/apps/web/parts/forms/party-fields.tsx';
import { WhenLoaded } from '#lib/apps/web/parts/table/when-loaded.tsx';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import type { Payer } from '#lib/wire/people/payer.ts';

const PATH = '/workspace/payer';

/** A form for owners: the name of the company that pays the partners, and the account from which it pays. */
export function PayerSection() {
  const { api } = useSession();
  const payer = useLoaded(() => api.get<Payer>(PATH), [api]);
  return (
    <section class="card form-card stack" id="payer" aria-labelledby="payer-title">
      <h2 id="payer-title">Payer</h2>
      <p class="hint">
        Statements of payouts name this payer, and bank files name the account too. The IBAN is kept encrypted and is
        not shown again.
      </p>
      <WhenLoaded of={payer} what="Who pays">
        {(loaded) => (
          <EditForm
            api={api}
            path={PATH}
            of={loaded}
            submit="Save payer"
            saysSaved
            fieldsIn={payerIn}
            onSaved={payer.replace}
          >
            {(shown) => (
              <>
                <PartyFields of={shown} />
                <Field
                  name="iban"
                  label="IBAN"
                  autocomplete="off"
                  placeholder={shown.iban_masked ?? undefined}
                  hint={
                    shown.iban_masked === null
                      ? 'The account from which you pay.'
                      : 'The account from which you pay. Leave it empty to keep the present one.'
                  }
                />
                {shown.iban_masked !== null && <Checkbox name={REMOVE_IBAN} label="Remove the present IBAN" />}
                <Field
                  name="bic"
                  label="BIC"
                  size={14}
                  autocomplete="off"
                  hint="Optional: 8 or 11 characters."
                  defaultValue={shown.bic ?? ''}
                />
              </>
            )}
          </EditForm>
        )}
      </WhenLoaded>
    </section>
  );
}

const REMOVE_IBAN = 'remove_iban';

/** Converts what was entered to the fields of a request. An empty text removes the stored value. */
const payerIn = ({ iban, [REMOVE_IBAN]: removesIban, ...party }: Entered) => ({
  ...party,
  ...(iban?.trim() ? { iban } : removesIban === 'on' && { iban: '' }),
});
