import { useState } from 'preact/hooks';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { useAction } from '#lib/apps/web/hooks/use-action.ts';
import { Dialog } from '#lib/apps/web/parts/forms/dialog.tsx';
import { Failure } from '#lib/apps/web/parts/table/failure.tsx';
import { TextArea } from '#lib/apps/web/parts/forms/field.tsx';
import { Form } from '#lib/apps/web/parts/forms/form.tsx';
import type { Partner } from '#lib/wire/partners/partner.ts';

interface CandidateActionsProps {
  readonly partner: Partner;
  readonly onChange: (partner: Partner) => void;
}

/** What an owner can do about an applicant or an invited person: decide, invite again, or withdraw the invitation. */
export const CandidateActions = ({ partner, onChange }: CandidateActionsProps) =>
  partner.status === 'applied' ? (
    <div class="row-actions">
      <Ask partner={partner} onChange={onChange} action="accept" text="Accept" />
      <Reject partner={partner} onChange={onChange} />
    </div>
  ) : (
    <div class="row-actions">
      <Invite partner={partner} onChange={onChange} text={partner.status === 'rejected' ? 'Invite' : 'Invite again'} />
      {partner.status === 'invited' && <Withdraw partner={partner} onChange={onChange} />}
    </div>
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

interface InviteProps extends CandidateActionsProps {
  readonly text: string;
}

/** A button that invites a person again. If the person will get no mail about it, that is explained first. */
const Invite = (props: InviteProps) =>
  props.partner.mail === 'ok' ? <Ask {...props} action="invite" /> : <InviteWithoutMail {...props} />;

function InviteWithoutMail({ partner, onChange, text }: InviteProps) {
  const { id, name, email, mail } = partner;
  const { api } = useSession();
  const { path } = useProgram();
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <button type="button" class="button small" aria-label={`${text}: ${name}`} onClick={() => setAsking(true)}>
        {text}
      </button>
      {isAsking && (
        <Dialog title={`Invite ${name} without a mail?`} onClose={() => setAsking(false)}>
          <p>
            {mail === 'suppressed'
              ? `No mail will go out: one to ${email} came back, or was reported as spam. Correct the address with Edit first, or tell them yourself.`
              : `No mail will go out: ${name} wants none. Tell them yourself.`}{' '}
            They find the invitation in the partner portal, signed in as {email}.
          </p>
          <Form
            submit="Invite without a mail"
            onCancel={() => setAsking(false)}
            onSubmit={async () => {
              const invited = await api.send<Partner>('POST', `${path}/partners/${id}/invite`);
              setAsking(false);
              onChange(invited);
            }}
          />
        </Dialog>
      )}
    </>
  );
}

function Withdraw({ partner: { id, name }, onChange }: CandidateActionsProps) {
  const { api } = useSession();
  const { path } = useProgram();
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <button type="button" class="button small" aria-label={`Withdraw: ${name}`} onClick={() => setAsking(true)}>
        Withdraw
      </button>
      {isAsking && (
        <Dialog title={`Withdraw the invitation of ${name}?`} onClose={() => setAsking(false)}>
          <p>They can no longer accept it. You can invite them again at any time.</p>
          <Form
            submit="Withdraw the invitation"
            isDangerous
            onCancel={() => setAsking(false)}
            onSubmit={async () => {
              const withdrawn = await api.send<Partner>('POST', `${path}/partners/${id}/withdraw`);
              setAsking(false);
              onChange(withdrawn);
            }}
          />
        </Dialog>
      )}
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
