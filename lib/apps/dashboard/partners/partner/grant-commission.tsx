import { useState } from 'preact/hooks';
import { ApiError, errorFrom } from '#lib/apps/web/api/api-error.ts';
import { currencyOptions } from '#lib/apps/dashboard/program/currencies.ts';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { useInstallation } from '#lib/apps/web/api/installation-context.ts';
import { Dialog } from '#lib/apps/web/parts/forms/dialog.tsx';
import { Failure } from '#lib/apps/web/parts/table/failure.tsx';
import { Field, Select, TextArea } from '#lib/apps/web/parts/forms/field.tsx';
import type { Entered } from '#lib/apps/web/forms/entered.ts';
import { Form } from '#lib/apps/web/parts/forms/form.tsx';
import { centsIn } from '#lib/apps/dashboard/program/program-fields.ts';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import type { ManualCommission } from '#lib/wire/earnings/commission.ts';
import type { Partner } from '#lib/wire/partners/partner.ts';

interface GrantCommissionProps {
  readonly partner: Partner;
  /** Called when a commission was granted, or when that is not known because there was no reply. */
  readonly onGranted: () => void;
}

export function GrantCommission({ partner, onGranted }: GrantCommissionProps) {
  const { isOwner } = useSession();
  const [isOpen, setOpen] = useState(false);
  if (!isOwner || (partner.status !== 'active' && partner.status !== 'removed')) return null;
  return (
    <>
      <button type="button" class="button small" onClick={() => setOpen(true)}>
        Add bonus or deduction
      </button>
      {isOpen && (
        <Dialog title={`Bonus or deduction for ${partner.name}`} onClose={() => setOpen(false)}>
          <GrantForm partner={partner} onGranted={onGranted} onClose={() => setOpen(false)} />
        </Dialog>
      )}
    </>
  );
}

interface GrantFormProps extends GrantCommissionProps {
  readonly onClose: () => void;
}

const PAY = ['pay', 'Bonus: the partner gets it'] as const;
const DEDUCT = ['deduct', 'Deduction: the partner gets less'] as const;

function GrantForm({ partner, onGranted, onClose }: GrantFormProps) {
  const { api } = useSession();
  const { program, path } = useProgram();
  const { currencies } = useInstallation();
  const ways = partner.status === 'active' ? [PAY, DEDUCT] : [DEDUCT];
  const [way, setWay] = useState<string>(ways[0]![0]);
  const [unanswered, setUnanswered] = useState<ApiError>();

  async function grant(entered: Entered): Promise<void> {
    const { amount_cents: amount, currency = '', reason, direction, external_id: externalId } = entered;
    const body = {
      amount_cents: centsIn(amount, currency),
      currency,
      reason,
      deduction: direction === 'deduct',
      external_id: externalId === '' ? null : externalId,
    };
    try {
      await api.send<ManualCommission>('POST', `${path}/partners/${partner.id}/commissions`, body);
    } catch (cause) {
      const error = errorFrom(cause);
      // A commission with an external id can be sent again, because it is created only once.
      if (body.external_id !== null || (error.status !== undefined && error.status < 500)) throw error;
      // If the form was sent again, it could create a second commission. So it is replaced by a notice.
      setUnanswered(error);
      return onGranted();
    }
    onGranted();
    onClose();
  }
  if (unanswered) return <Unanswered error={unanswered} onClose={onClose} />;
  return (
    <Form submit={way === 'deduct' ? 'Add deduction' : 'Add bonus'} onCancel={onClose} onSubmit={grant}>
      <p class="hint">
        A deduction takes back what was paid by mistake, for example. Both are commissions that are approved at once and
        part of the next payout. Until then they can be reopened and rejected.
      </p>
      <Select
        name="direction"
        label="What to do"
        value={way}
        onChange={setWay}
        options={ways}
        hint={partner.status === 'removed' && 'A removed partner can only be deducted from.'}
      />
      <Field name="amount_cents" label="Amount" inputMode="decimal" size={10} required />
      <Select name="currency" label="Currency" options={currencyOptions(currencies)} value={program.currency} />
      <TextArea name="reason" label="Reason" hint="The partner reads it." rows={3} required />
      <Field
        name="external_id"
        label="External id"
        hint="Optional: your own id of it, such as an invoice number. It is recorded once, however often you send it."
        maxLength={255}
      />
    </Form>
  );
}

interface UnansweredProps {
  readonly error: ApiError;
  readonly onClose: () => void;
}

/** Says that it is not known whether the commission was granted, because there was no reply. */
function Unanswered({ error, onClose }: UnansweredProps) {
  const advice = 'The commission may have been recorded nevertheless: look at the commissions before you add it again.';
  return (
    <>
      <Failure error={new ApiError(`${error.message} ${advice}`, error)} />
      <div class="form-buttons">
        <button type="button" class="button" onClick={onClose}>
          Close
        </button>
      </div>
    </>
  );
}
