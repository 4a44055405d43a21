import { useState } from 'preact/hooks';
import { sourceName } from '#lib/apps/dashboard/commissions/commission-source.tsx';
import { useProgram } from '#lib/apps/dashboard/current-program.ts';
import { useAction } from '#lib/apps/web/hooks/use-action.ts';
import { Dialog } from '#lib/apps/web/parts/dialog.tsx';
import { Failure } from '#lib/apps/web/parts/failure.tsx';
import { TextArea } from '#lib/apps/web/parts/field.tsx';
import { Form } from '#lib/apps/web/parts/form.tsx';
import { useSession } from '#lib/apps/dashboard/session.ts';
import type { Commission } from '#lib/wire/commission.ts';

interface CommissionDecisionProps {
  readonly commission: Commission;
  readonly onChange: (commission: Commission) => void;
}

/** Approves a pending commission before its hold is over, or rejects it for good. */
export function CommissionDecision({ commission, onChange }: CommissionDecisionProps) {
  const { api } = useSession();
  const { path } = useProgram();
  const [isRejecting, setRejecting] = useState(false);
  const { id, status } = commission;
  const source = sourceName(commission);
  const decide = (decision: 'approve' | 'reject', body?: unknown) =>
    api.send<Commission>('POST', `${path}/commissions/${id}/${decision}`, body);
  const approve = useAction(async () => onChange(await decide('approve')));

  if (status !== 'pending') return null;
  return (
    <>
      <div class="row-actions">
        <button
          type="button"
          class="button small"
          aria-label={`Approve the commission of ${source}`}
          aria-disabled={approve.isPending}
          onClick={approve.run}
        >
          Approve
        </button>
        <button
          type="button"
          class="button small"
          aria-label={`Reject the commission of ${source}`}
          onClick={() => setRejecting(true)}
        >
          Reject
        </button>
      </div>
      {approve.error && <Failure error={approve.error} />}
      {isRejecting && (
        <Dialog title="Reject this commission?" onClose={() => setRejecting(false)}>
          <p>
            The partner gets nothing for {commission.kind === 'sale' && 'sale '}
            <code>{source}</code>. This cannot be undone.
          </p>
          <Form
            submit="Reject commission"
            isDangerous
            onCancel={() => setRejecting(false)}
            onSubmit={async ({ reason }) => {
              const rejected = await decide('reject', { reason });
              setRejecting(false);
              onChange(rejected);
            }}
          >
            <TextArea name="reason" label="Reason" hint="The partner reads it." rows={3} required />
          </Form>
        </Dialog>
      )}
    </>
  );
}
