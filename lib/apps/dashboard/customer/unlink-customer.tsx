import { useState } from 'preact/hooks';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { Dialog } from '#lib/apps/web/parts/forms/dialog.tsx';
import { TextArea } from '#lib/apps/web/parts/forms/field.tsx';
import { Form } from '#lib/apps/web/parts/forms/form.tsx';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import type { UnlinkedCustomer } from '#lib/wire/traffic/customer.ts';

interface UnlinkCustomerProps {
  readonly clickId: string;
  readonly onUnlinked: () => Promise<void>;
}

/** Explains what unlinking does, then unlinks the customer: new events no longer count for this customer's partner. */
export function UnlinkCustomer({ clickId, onUnlinked }: UnlinkCustomerProps) {
  const { api } = useSession();
  const { path } = useProgram();
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <button type="button" class="button" onClick={() => setAsking(true)}>
        Unlink…
      </button>
      {isAsking && (
        <Dialog title="Unlink this customer?" onClose={() => setAsking(false)}>
          <div class="stack">
            <p>
              From now on nothing counts for this customer: further signups and payments are not recorded, and nobody
              earns a commission from them. If the person comes through a link again, that click makes a new customer of
              that link’s partner.
            </p>
            <p>
              What is recorded stays: the sales, their commissions and payouts. Refunds of these sales still reduce
              their commissions. This cannot be undone.
            </p>
            <Form
              submit="Unlink customer"
              isDangerous
              onCancel={() => setAsking(false)}
              onSubmit={async ({ reason }) => {
                await api.send<UnlinkedCustomer>('POST', `${path}/customers/${encodeURIComponent(clickId)}/unlink`, {
                  reason,
                });
                await onUnlinked();
                setAsking(false);
              }}
            >
              <TextArea name="reason" label="Reason" hint="Shown in the customer’s timeline." rows={3} required />
            </Form>
          </div>
        </Dialog>
      )}
    </>
  );
}
