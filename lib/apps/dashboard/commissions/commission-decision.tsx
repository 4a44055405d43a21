import { useState } from 'preact/hooks';
import { type Decision, verbs } from '#lib/apps/dashboard/commissions/decide-all.ts';
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

const positive = { pending: 'approve', held: 'release' } as const;

/** Approves a pending commission before its hold ends, releases a held one, or rejects either permanently. */
export function CommissionDecision({ commission, onChange }: CommissionDecisionProps) {
  const { api } = useSession();
  const { path } = useProgram();
  const [isRejecting, setRejecting] = useState(false);
  const { id, status } = commission;
  const source = sourceName(commission);
  const decide = (decision: Decision, body?: unknown) =>
    api.send<Commission>('POST', `${path}/commissions/${id}/${decision}`, body);
  const accepting = useAction(async (decision: Decision) => onChange(await decide(decision)));

  if (status !== 'pending' && status !== 'held') return null;
  const accept = positive[status];
  return (
    <>
      <div class="row-actions">
        <button
          type="button"
          class="button small"
          aria-label={`${verbs[accept]} the commission of ${source}`}
          aria-disabled={accepting.isPending}
          onClick={() => accepting.run(accept)}
        >
          {verbs[accept]}
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
      {accepting.error && <Failure error={accepting.error} />}
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
