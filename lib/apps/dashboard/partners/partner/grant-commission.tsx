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
  /** Called when a commission was, or may have been, granted. */
  readonly onGranted: () => void;
}

export function GrantCommission({ partner, onGranted }: GrantCommissionProps) {
  const { isOwner } = useSession();
  const [isOpen, setOpen] = useState(false);
  if (!isOwner || partner.status !== 'active') return null;
  return (
    <>
      <button type="button" class="button small" onClick={() => setOpen(true)}>
        Add commission
      </button>
      {isOpen && (
        <Dialog title={`Add a commission for ${partner.name}`} onClose={() => setOpen(false)}>
          <GrantForm partner={partner} onGranted={onGranted} onClose={() => setOpen(false)} />
        </Dialog>
      )}
    </>
  );
}

interface GrantFormProps extends GrantCommissionProps {
  readonly onClose: () => void;
}

function GrantForm({ partner, onGranted, onClose }: GrantFormProps) {
  const { api } = useSession();
  const { program, path } = useProgram();
  const { currencies } = useInstallation();
  const [unanswered, setUnanswered] = useState<ApiError>();

  async function grant({ amount_cents: amount, currency = '', reason }: Entered): Promise<void> {
    const body = { amount_cents: centsIn(amount, currency), currency, reason };
    try {
      await api.send<ManualCommission>('POST', `${path}/partners/${partner.id}/commissions`, body);
    } catch (cause) {
      const error = errorFrom(cause);
      if (error.status !== undefined && error.status < 500) throw error;
      // Sending the form again could grant a second commission, so the form ends here.
      setUnanswered(error);
      return onGranted();
    }
    onGranted();
    onClose();
  }
  if (unanswered) return <Unanswered error={unanswered} onClose={onClose} />;
  return (
    <Form submit="Add commission" onCancel={onClose} onSubmit={grant}>
      <p class="hint">Such as a bonus. It is approved at once and paid with the next payout. It cannot be undone.</p>
      <Field name="amount_cents" label="Amount" inputMode="decimal" size={10} required />
      <Select name="currency" label="Currency" options={currencyOptions(currencies)} value={program.currency} />
      <TextArea name="reason" label="Reason" hint="Shown with the commission." rows={3} required />
    </Form>
  );
}

interface UnansweredProps {
  readonly error: ApiError;
  readonly onClose: () => void;
}

/** Without a reply it is unknown whether the commission was granted. */
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
