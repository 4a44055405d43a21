import { useState } from 'preact/hooks';
import { ApiError, errorFrom } from '#lib/apps/dashboard/api-error.ts';
import { useProgram } from '#lib/apps/dashboard/current-program.ts';
import { useLoaded } from '#lib/apps/dashboard/hooks/use-loaded.ts';
import { loadAll } from '#lib/apps/dashboard/load-all.ts';
import { Field, Select } from '#lib/apps/dashboard/parts/field.tsx';
import { Form } from '#lib/apps/dashboard/parts/form.tsx';
import { Money } from '#lib/apps/dashboard/parts/money.tsx';
import { Table } from '#lib/apps/dashboard/parts/table.tsx';
import { WhenLoaded } from '#lib/apps/dashboard/parts/when-loaded.tsx';
import { useSession } from '#lib/apps/dashboard/session.ts';
import type { Partner } from '#lib/wire/partner.ts';
import type { Payout } from '#lib/wire/payout.ts';

interface PayOutProps {
  readonly onClose: () => void;
  readonly onPaid: () => Promise<void>;
}

/** Marks what is approved as paid, and says to whom the money goes: it is sent outside this service. */
export function PayOut({ onClose, onPaid }: PayOutProps) {
  const { api } = useSession();
  const { path } = useProgram();
  const [payout, setPayout] = useState<Payout>();
  const partners = useLoaded(() => loadAll<Partner>(api, `${path}/partners`), [api, path]);

  if (payout) return <PaidOut payout={payout} onClose={onClose} />;
  return (
    <WhenLoaded of={partners}>
      {(loaded) => (
        <Form
          submit="Mark as paid"
          onCancel={onClose}
          onSubmit={async ({ partner_id: partnerId, through }) => {
            const chosen = { partner_id: partnerId ? Number(partnerId) : undefined, through: through || undefined };
            setPayout(await api.send<Payout>('POST', `${path}/payouts`, chosen).catch(sayWhatMayBe));
            await onPaid();
          }}
        >
          <p>
            Approved commissions become paid, and you get the list of amounts to send. The money itself you send by your
            bank or processor: this service does not.
          </p>
          <Select
            name="partner_id"
            label="Partner"
            options={[['', 'All partners'], ...loaded.map(({ id, name }) => [String(id), name] as const)]}
          />
          <Field name="through" label="Sales paid up to" type="date" hint="Empty: all that is approved." />
        </Form>
      )}
    </WhenLoaded>
  );
}

/** Without a reply, or with one from the gateway, it is unknown whether the payout was made. */
function sayWhatMayBe(cause: unknown): never {
  const error = errorFrom(cause);
  if (error.status !== undefined && error.status < 500) throw error;
  throw new ApiError(
    `${error.message} The payout may be recorded all the same: look at the list of payouts before you send money. ` +
      'Paying out again finishes one that was interrupted.',
    error,
  );
}

const PaidOut = ({ payout, onClose }: { readonly payout: Payout; readonly onClose: () => void }) => (
  <>
    <p role="status">
      <strong>Payout {payout.id} is recorded.</strong> Send these amounts:
    </p>
    <Table
      label="Amounts to send"
      rows={payout.items}
      keyOf={({ partner_id: id, currency }) => `${id} ${currency}`}
      columns={[
        {
          title: 'Partner',
          cell: ({ partner_name: name, partner_email: email, partner_id: id }) => (
            <>
              <span class="strong">{name ?? `Partner ${id}`}</span>
              <div class="muted">{email}</div>
            </>
          ),
        },
        { title: 'Commissions', isNumber: true, cell: ({ commission_ids: ids }) => ids.length },
        {
          title: 'Amount',
          isNumber: true,
          cell: ({ amount_cents: cents, currency }) => <Money cents={cents} currency={currency} />,
        },
      ]}
    />
    <div class="form-buttons">
      <button type="button" class="button primary" onClick={onClose}>
        Done
      </button>
    </div>
  </>
);
