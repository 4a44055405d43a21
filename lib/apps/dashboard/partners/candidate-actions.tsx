import { useState } from 'preact/hooks';
import { useProgram } from '#lib/apps/dashboard/current-program.ts';
import { useSession } from '#lib/apps/dashboard/session.ts';
import { useAction } from '#lib/apps/web/hooks/use-action.ts';
import { Dialog } from '#lib/apps/web/parts/dialog.tsx';
import { Failure } from '#lib/apps/web/parts/failure.tsx';
import { TextArea } from '#lib/apps/web/parts/field.tsx';
import { Form } from '#lib/apps/web/parts/form.tsx';
import type { Partner } from '#lib/wire/partner.ts';

interface CandidateActionsProps {
  readonly partner: Partner;
  readonly onChange: (partner: Partner) => void;
}

/** Decides about an application, or invites somebody again. */
export const CandidateActions = ({ partner, onChange }: CandidateActionsProps) =>
  partner.status === 'applied' ? (
    <div class="row-actions">
      <Ask partner={partner} onChange={onChange} action="accept" text="Accept" />
      <Reject partner={partner} onChange={onChange} />
    </div>
  ) : (
    <Ask
      partner={partner}
      onChange={onChange}
      action="invite"
      text={partner.status === 'rejected' ? 'Invite' : 'Invite again'}
    />
  );

interface AskProps extends CandidateActionsProps {
  readonly action: 'accept' | 'invite';
  readonly text: string;
}

function Ask({ partner: { id, name }, onChange, action, text }: AskProps) {
  const { api } = useSession();
  const { path } = useProgram();
  const ask = useAction(async () => onChange(await api.send<Partner>('POST', `${path}/partners/${id}/${action}`)));
  return (
    <>
      <button
        type="button"
        class="button small"
        aria-label={`${text}: ${name}`}
        aria-disabled={ask.isPending}
        onClick={ask.run}
      >
        {text}
      </button>
      {ask.error && <Failure error={ask.error} />}
    </>
  );
}

function Reject({ partner: { id, name }, onChange }: CandidateActionsProps) {
  const { api } = useSession();
  const { path } = useProgram();
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <button type="button" class="button small" aria-label={`Reject ${name}`} onClick={() => setAsking(true)}>
        Reject
      </button>
      {isAsking && (
        <Dialog title={`Reject ${name}?`} onClose={() => setAsking(false)}>
          <p>They read your reason, and may apply again after 30 days. You can invite them at any time.</p>
          <Form
            submit="Reject the application"
            isDangerous
            onCancel={() => setAsking(false)}
            onSubmit={async ({ reason }) => {
              const rejected = await api.send<Partner>('POST', `${path}/partners/${id}/reject`, { reason });
              setAsking(false);
              onChange(rejected);
            }}
          >
            <TextArea name="reason" label="Reason" rows={3} required />
          </Form>
        </Dialog>
      )}
    </>
  );
}
