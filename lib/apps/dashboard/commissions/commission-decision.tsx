import { useState } from 'preact/hooks';
import {
  type Decision,
  decisions,
  isDecidable,
  needsReason,
  totalText,
  verbs,
} from '#lib/apps/dashboard/commissions/decide-all.ts';
import { sourceName } from '#lib/apps/dashboard/commissions/commission-source.tsx';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { Dialog } from '#lib/apps/web/parts/forms/dialog.tsx';
import { TextArea } from '#lib/apps/web/parts/forms/field.tsx';
import { Form } from '#lib/apps/web/parts/forms/form.tsx';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import type { Commission } from '#lib/wire/earnings/commission.ts';

interface CommissionDecisionProps {
  readonly commission: Commission;
  readonly onChange: (commission: Commission) => void;
}

/** Buttons that approve a commission before its hold period ends, release it, reject it, or reopen it. */
export function CommissionDecision({ commission, onChange }: CommissionDecisionProps) {
  const [asked, setAsked] = useState<Decision>();
  const { status } = commission;
  if (!isDecidable(status)) return null;
  return (
    <>
      <div class="row-actions">
        {decisions[status].map((decision) => (
          <button
            key={decision}
            type="button"
            class="button small"
            aria-label={`${verbs[decision]} the commission of ${sourceName(commission)}`}
            onClick={() => setAsked(decision)}
          >
            {verbs[decision]}…
          </button>
        ))}
      </div>
      {asked && (
        <DecisionDialog
          decision={asked}
          commission={commission}
          onClose={() => setAsked(undefined)}
          onDecided={(decided) => {
            setAsked(undefined);
            onChange(decided);
          }}
        />
      )}
    </>
  );
}

interface DecisionDialogProps {
  readonly decision: Decision;
  readonly commission: Commission;
  readonly onClose: () => void;
  readonly onDecided: (commission: Commission) => void;
}

/** Shows what a decision changes, and asks for a reason if the decision needs one. */
function DecisionDialog({ decision, commission, onClose, onDecided }: DecisionDialogProps) {
  const { api } = useSession();
  const { path } = useProgram();
  const isRejection = decision === 'reject';
  return (
    <Dialog title={`${verbs[decision]} this commission?`} onClose={onClose}>
      <p>
        <strong>{totalText([commission])}</strong> for {commission.kind === 'sale' && 'sale '}
        <code>{sourceName(commission)}</code> to{' '}
        <bdi>{commission.partner_name ?? `partner ${commission.partner_id}`}</bdi>. {effectOf(decision, commission)}
      </p>
      <Form
        submit={`${verbs[decision]} commission`}
        isDangerous={isRejection}
        onCancel={onClose}
        onSubmit={async ({ reason }) =>
          onDecided(await api.send<Commission>('POST', `${path}/commissions/${commission.id}/${decision}`, { reason }))
        }
      >
        {needsReason(decision) && (
          <TextArea
            name="reason"
            label="Reason"
            hint={isRejection ? 'The partner reads it.' : 'For your records. The partner does not read it.'}
            rows={3}
            required
          />
        )}
      </Form>
    </Dialog>
  );
}

function effectOf(decision: Decision, { status }: Commission): string {
  if (decision === 'approve') return 'It is due with the next payout, also if its hold is not over.';
  if (decision === 'reject') return 'The partner gets nothing for it, unless you reopen it later.';
  if (decision === 'release') {
    return 'It counts from now on and is paid like any other. The rule that held it does not hold further sales to this customer.';
  }
  const refunds = status === 'rejected' ? ' What was refunded since it was rejected is deducted now.' : '';
  return `It is pending again, and from now on only a person approves it.${refunds}`;
}
