import { useState } from 'preact/hooks';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { useAction } from '#lib/apps/web/hooks/use-action.ts';
import { Dialog } from '#lib/apps/web/parts/forms/dialog.tsx';
import { Failure } from '#lib/apps/web/parts/table/failure.tsx';
import { Form } from '#lib/apps/web/parts/forms/form.tsx';
import { sendSeen } from '#lib/apps/web/forms/send-seen.ts';
import { CandidateActions } from '#lib/apps/dashboard/partners/candidates/candidate-actions.tsx';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import type { Partner } from '#lib/wire/partners/partner.ts';

interface PartnerStatusButtonProps {
  readonly partner: Partner;
  readonly onChange: (partner: Partner) => void;
}

/**
 * A button that removes a partner, or restores one whom the brand removed. A partner who left is invited again instead,
 * if the partner has an account.
 */
export function PartnerStatusButton(props: PartnerStatusButtonProps) {
  const { left_at: leftAt, email } = props.partner;
  if (email === null) return null;
  return leftAt === null ? <RemoveOrRestore {...props} /> : <CandidateActions {...props} />;
}

function RemoveOrRestore({ partner, onChange }: PartnerStatusButtonProps) {
  const { api } = useSession();
  const { path } = useProgram();
  const [isAsking, setAsking] = useState(false);

  async function setStatus(status: Partner['status']): Promise<void> {
    const changed = await sendSeen(api, `${path}/partners/${partner.id}`, partner, { status });
    setAsking(false);
    onChange(changed);
  }
  const restore = useAction(() => setStatus('active'));

  if (partner.status === 'removed') {
    return (
      <>
        <button
          type="button"
          class="button small"
          aria-label={`Restore ${partner.name}`}
          aria-disabled={restore.isPending}
          onClick={restore.run}
        >
          Restore
        </button>
        {restore.error && <Failure error={restore.error} />}
      </>
    );
  }
  return (
    <>
      <button type="button" class="button small" aria-label={`Remove ${partner.name}`} onClick={() => setAsking(true)}>
        Remove
      </button>
      {isAsking && (
        <Dialog title={`Remove ${partner.name}?`} onClose={() => setAsking(false)}>
          <p>
            Their links stop counting clicks, and new sales of their customers are not recorded. What they have earned
            stays theirs. You can take them back at any time.
          </p>
          <Form
            submit="Remove partner"
            isDangerous
            onSubmit={() => setStatus('removed')}
            onCancel={() => setAsking(false)}
          />
        </Dialog>
      )}
    </>
  );
}
