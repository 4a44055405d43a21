import { useState } from 'preact/hooks';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { centsIn } from '#lib/apps/dashboard/program/program-fields.ts';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import type { Entered } from '#lib/apps/web/forms/entered.ts';
import { moneyText, unitsOf } from '#lib/apps/web/format.ts';
import { Dialog } from '#lib/apps/web/parts/forms/dialog.tsx';
import { Field, TextArea } from '#lib/apps/web/parts/forms/field.tsx';
import { Form } from '#lib/apps/web/parts/forms/form.tsx';
import type { ExplainedSale } from '#lib/wire/conversions/explained-sale.ts';
import type { OwnersRefund } from '#lib/wire/conversions/refund.ts';

interface CorrectRefundProps {
  readonly sale: ExplainedSale['sale'];
  readonly onChange: () => Promise<void>;
}

export function CorrectRefund({ sale, onChange }: CorrectRefundProps) {
  const { isOwner } = useSession();
  const [isOpen, setOpen] = useState(false);
  if (!isOwner) return null;
  return (
    <>
      <button type="button" class="button small" onClick={() => setOpen(true)}>
        Correct the total…
      </button>
      {isOpen && (
        <Dialog title="Correct what was refunded" onClose={() => setOpen(false)}>
          <CorrectionForm sale={sale} onChange={onChange} onClose={() => setOpen(false)} />
        </Dialog>
      )}
    </>
  );
}

interface CorrectionFormProps extends CorrectRefundProps {
  readonly onClose: () => void;
}

function CorrectionForm({ sale, onChange, onClose }: CorrectionFormProps) {
  const { api } = useSession();
  const { path } = useProgram();
  const [isKeptUp, setKeptUp] = useState(false);
  const { currency, transaction_id: transaction, refunded_amount_cents: refunded } = sale;

  async function correct({ refund_amount_cents: amount, refund_reason: reason }: Entered): Promise<void> {
    // The transaction id is in the query, because not every id can be part of a path.
    const address = `${path}/sales/refund?${new URLSearchParams({ transaction_id: transaction }).toString()}`;
    const body = { refund_amount_cents: centsIn(amount, currency), refund_reason: reason };
    const answer = await api.send<OwnersRefund>('POST', address, body);
    await onChange();
    if ('reason' in answer && answer.reason === 'reported by the processor') setKeptUp(true);
    else onClose();
  }
  if (isKeptUp) {
    return (
      <>
        <p role="status">
          The total stays as it is: the card processor reports that this much was refunded or disputed. Only its reports
          change that.
        </p>
        <div class="form-buttons">
          <button type="button" class="button" onClick={onClose}>
            Close
          </button>
        </div>
      </>
    );
  }
  return (
    <Form submit="Correct the total" onCancel={onClose} onSubmit={correct}>
      <p class="hint">
        {moneyText(refunded, currency)} of {moneyText(sale.amount_cents, currency)} are refunded. A lower total gives
        the commission back, and one that was paid is due again. A higher one takes more of it.
      </p>
      <Field
        name="refund_amount_cents"
        label="Total refunded"
        unit={currency}
        defaultValue={String(unitsOf(refunded, currency))}
        inputMode="decimal"
        size={10}
        required
      />
      <TextArea name="refund_reason" label="Reason" hint="Shown beside the refunds." rows={3} required />
    </Form>
  );
}
