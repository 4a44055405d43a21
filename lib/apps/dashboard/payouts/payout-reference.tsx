import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { EditForm } from '#lib/apps/web/parts/forms/edit-form.tsx';
import { Field } from '#lib/apps/web/parts/forms/field.tsx';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import type { Payout } from '#lib/wire/earnings/payout.ts';

interface PayoutReferenceProps {
  readonly payout: Payout;
  readonly onChange: () => Promise<void>;
}

/** A form for the reference that a payout has at the bank, by which people find the payment there. */
export function PayoutReference({ payout, onChange }: PayoutReferenceProps) {
  const { api, isOwner } = useSession();
  const { path } = useProgram();
  return (
    <section class="card no-print" aria-labelledby="reference">
      <h2 id="reference">Reference</h2>
      {isOwner ? (
        <EditForm
          api={api}
          path={`${path}/payouts/${payout.id}`}
          of={payout}
          submit="Save reference"
          saysSaved
          fieldsIn={(entered) => ({ reference: entered.reference })}
          onSaved={onChange}
        >
          {(shown) => (
            <Field
              name="reference"
              label="Bank's or processor's reference"
              hint={
                shown.reference === null ? 'None yet. Enter it once you have sent the money.' : 'Also in the CSV file.'
              }
              maxLength={200}
              required
              defaultValue={shown.reference ?? ''}
            />
          )}
        </EditForm>
      ) : (
        <p class="hint">{payout.reference ?? 'None yet.'} A workspace owner enters it.</p>
      )}
    </section>
  );
}
