import { useProgram } from '#lib/apps/dashboard/current-program.ts';
import { Field } from '#lib/apps/web/parts/field.tsx';
import { Form } from '#lib/apps/web/parts/form.tsx';
import { useSession } from '#lib/apps/dashboard/session.ts';
import type { Payout } from '#lib/wire/payout.ts';

interface PayoutReferenceProps {
  readonly payout: Payout;
  readonly onChange: () => Promise<void>;
}

/** What the payment is called at the bank, so that it can be found there. */
export function PayoutReference({ payout: { id, reference }, onChange }: PayoutReferenceProps) {
  const { api, isOwner } = useSession();
  const { path } = useProgram();
  return (
    <section class="card no-print" aria-labelledby="reference">
      <h2 id="reference">Reference</h2>
      {isOwner ? (
        <Form
          submit="Save reference"
          saysSaved
          onSubmit={async (entered) => {
            await api.send<Payout>('PATCH', `${path}/payouts/${id}`, { reference: entered.reference });
            await onChange();
          }}
        >
          <Field
            name="reference"
            label="Bank's or processor's reference"
            hint={reference === null ? 'None yet. Enter it once you have sent the money.' : 'Also in the CSV file.'}
            maxLength={200}
            required
            defaultValue={reference ?? ''}
          />
        </Form>
      ) : (
        <p class="hint">{reference ?? 'None yet.'} A workspace owner enters it.</p>
      )}
    </section>
  );
}
