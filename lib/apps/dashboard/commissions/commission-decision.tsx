import { useState } from 'preact/hooks';
import {
  type Decision,
  decisions,
  isDecidable,
  needsReason,
  verbs,
} from '#lib/apps/dashboard/commissions/decide-all.ts';
import { sourceName } from '#lib/apps/dashboard/commissions/commission-source.tsx';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { useAction } from '#lib/apps/web/hooks/use-action.ts';
import { Dialog } from '#lib/apps/web/parts/forms/dialog.tsx';
import { Failure } from '#lib/apps/web/parts/table/failure.tsx';
import { TextArea } from '#lib/apps/web/parts/forms/field.tsx';
import { Form } from '#lib/apps/web/parts/forms/form.tsx';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import type { Commission } from '#lib/wire/earnings/commission.ts';

interface CommissionDecisionProps {
  readonly commission: Commission;
  readonly onChange: (commission: Commission) => void;
}

/** Approves a pending commission before its hold ends, releases a held one, rejects either, or reopens what was decided. */
export function CommissionDecision({ commission, onChange }: CommissionDecisionProps) {
  const { api } = useSession();
  const { path } = useProgram();
  const [asked, setAsked] = useState<'reject' | 'reopen'>();
  const { id, status } = commission;
  const decide = (decision: Decision, body?: unknown) =>
    api.send<Commission>('POST', `${path}/commissions/${id}/${decision}`, body);
  const accepting = useAction(async (decision: Decision) => onChange(await decide(decision)));

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
            aria-disabled={accepting.isPending && !needsReason(decision)}
            onClick={() => (isAsked(decision) ? setAsked(decision) : accepting.run(decision))}
          >
            {verbs[decision]}
            {decision === 'reopen' && '…'}
          </button>
        ))}
      </div>
      {accepting.error && <Failure error={accepting.error} />}
      {asked && (
        <ReasonDialog
          decision={asked}
          commission={commission}
          onClose={() => setAsked(undefined)}
          onSubmit={async (reason) => {
            const decided = await decide(asked, { reason });
            setAsked(undefined);
            onChange(decided);
          }}
        />
      )}
    </>
  );
}

const isAsked = (decision: Decision): decision is 'reject' | 'reopen' => needsReason(decision);

interface ReasonDialogProps {
  readonly decision: 'reject' | 'reopen';
  readonly commission: Commission;
  readonly onClose: () => void;
  readonly onSubmit: (reason: string | undefined) => Promise<void>;
}

/** Asks for the reason of a decision. */
function ReasonDialog({ decision, commission, onClose, onSubmit }: ReasonDialogProps) {
  const isRejection = decision === 'reject';
  const source = (
    <>
      {commission.kind === 'sale' && 'sale '}
      <code>{sourceName(commission)}</code>
    </>
  );
  return (
    <Dialog title={`${verbs[decision]} this commission?`} onClose={onClose}>
      {isRejection ? (
        <p>The partner gets nothing for {source}, unless you reopen it later.</p>
      ) : (
        <p>
          The commission of {source} is pending again, and from now on only a person approves it.
          {commission.status === 'rejected' && ' What was refunded since it was rejected is deducted now.'}
        </p>
      )}
      <Form
        submit={`${verbs[decision]} commission`}
        isDangerous={isRejection}
        onCancel={onClose}
        onSubmit={({ reason }) => onSubmit(reason)}
      >
        <TextArea
          name="reason"
          label="Reason"
          hint={isRejection ? 'The partner reads it.' : 'For your records. The partner does not read it.'}
          rows={3}
          required
        />
      </Form>
    </Dialog>
  );
}
