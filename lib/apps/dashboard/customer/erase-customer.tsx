import { useState } from 'preact/hooks';
import { usePolled } from '#lib/apps/dashboard/hooks/use-polled.ts';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { useLoaded } from '#lib/apps/web/hooks/use-loaded.ts';
import { ApiError } from '#lib/apps/web/api/api-error.ts';
import { Dialog } from '#lib/apps/web/parts/forms/dialog.tsx';
import { Field } from '#lib/apps/web/parts/forms/field.tsx';
import { Form } from '#lib/apps/web/parts/forms/form.tsx';
import { countOf } from '#lib/apps/web/format.ts';
import type { RequestedErasure } from '#lib/wire/traffic/customer-export.ts';

/** How many characters of the click id the owner must enter. */
const ENTERED = 6;
const POLL_SECONDS = 10;

interface EraseCustomerProps {
  readonly clickId: string;
  readonly onErased: () => Promise<void>;
}

/**
 * Explains which data are erased and which are kept. When the owner has entered the end of the click id, erases the
 * customer's personal data.
 */
export function EraseCustomer({ clickId, onErased }: EraseCustomerProps) {
  const erase = useErasure(clickId);
  const [isAsking, setAsking] = useState(false);
  const [entered, setEntered] = useState('');
  const end = clickId.slice(-ENTERED);
  return (
    <>
      <button type="button" class="button" onClick={() => setAsking(true)}>
        Erase…
      </button>
      {isAsking && (
        <Dialog title="Erase this customer’s data?" onClose={() => setAsking(false)}>
          <div class="stack">
            <p>
              <strong>What goes:</strong> your id of the person, the traces of the e-mail address, pages, referrers and
              browsers, the ids at Stripe, and the texts that came with signups, sales and refunds. From now on no
              click, signup or payment finds this customer.
            </p>
            <p>
              <strong>What stays:</strong> the sales with their ids, amounts and dates, the commissions, payouts and
              figures, and the partner. Events stay with the webhook endpoints that received them. This cannot be
              undone.
            </p>
            <Form
              submit="Erase customer"
              isDangerous
              onCancel={() => setAsking(false)}
              onSubmit={async () => {
                if (entered.trim() !== end) throw new ApiError(`end must be ${end}`);
                await erase();
                await onErased();
                setAsking(false);
              }}
            >
              <Field
                name="end"
                label={`The last ${ENTERED} characters of the click id`}
                hint={
                  <>
                    The click id is <span class="identifier">{clickId}</span>.
                  </>
                }
                autocomplete="off"
                required
                size={10}
                maxLength={ENTERED}
                onInput={setEntered}
              />
            </Form>
          </div>
        </Dialog>
      )}
    </>
  );
}

/** Shows how far an erasure is. To find out, it sends the request to erase again. */
export function ErasureStatus({ clickId }: { readonly clickId: string }) {
  const erasure = useLoaded(useErasure(clickId), [clickId]);
  const isErasing = erasure.state === 'ready' && erasure.value.status === 'erasing';
  usePolled(erasure.reload, isErasing ? POLL_SECONDS : undefined);
  if (erasure.state !== 'ready') return null;
  const { status, sales } = erasure.value;
  const kept = `${countOf(sales, 'sale')} ${sales === 1 ? 'stays' : 'stay'} without personal data.`;
  return status === 'erasing' ? <>All records follow within five minutes.</> : <>{kept}</>;
}

function useErasure(clickId: string): () => Promise<RequestedErasure> {
  const { api } = useSession();
  const { path } = useProgram();
  return () => api.send('POST', `${path}/customers/${encodeURIComponent(clickId)}/erase`, { confirm: clickId });
}
