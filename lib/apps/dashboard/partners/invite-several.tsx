import { useState } from 'preact/hooks';
import { invitationsIn, type InvitationLine } from '#lib/apps/dashboard/partners/invitation-lines.ts';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { countOf, countText } from '#lib/apps/web/format.ts';
import { TextArea } from '#lib/apps/web/parts/forms/field.tsx';
import { Form } from '#lib/apps/web/parts/forms/form.tsx';
import { Table } from '#lib/apps/web/parts/table/table.tsx';
import type { Invited } from '#lib/wire/partners/invited.ts';

interface InviteSeveralProps {
  readonly onClose: () => void;
  readonly onAdded: () => Promise<void>;
}

interface Checked {
  readonly lines: readonly InvitationLine[];
  readonly answers: readonly Invited[];
}

/** Invites a pasted list of people by mail. The list is first checked by a preview and then sent. */
export function InviteSeveral({ onClose, onAdded }: InviteSeveralProps) {
  const { api } = useSession();
  const { path } = useProgram();
  const [checked, setChecked] = useState<Checked>();
  const [sent, setSent] = useState<readonly Invited[]>();
  const ask = (lines: readonly InvitationLine[], preview: boolean) =>
    api.send<Invited[]>('POST', `${path}/invitations`, { invitations: lines, preview });

  if (sent) return <Sent answers={sent} onClose={onClose} />;
  if (checked) {
    const ready = checked.lines.filter((_, index) => checked.answers[index]?.status === 'ready');
    return (
      <>
        <p role="status">
          {countText(ready.length)} of {countOf(checked.lines.length, 'invitation')} can be sent.
        </p>
        <Refused answers={checked.answers} />
        {ready.length > 0 ? (
          <Form
            submit={`Invite ${countOf(ready.length, 'person')}`.replace('persons', 'people')}
            onCancel={() => setChecked(undefined)}
            onSubmit={async () => {
              try {
                setSent(await ask(ready, false));
              } finally {
                await onAdded();
              }
            }}
          />
        ) : (
          <div class="form-buttons">
            <button type="button" class="button" onClick={() => setChecked(undefined)}>
              Change the list
            </button>
          </div>
        )}
      </>
    );
  }
  return (
    <Form
      submit="Check"
      onCancel={onClose}
      onSubmit={async ({ invitations }) => {
        const lines = invitationsIn(invitations ?? '');
        setChecked({ lines, answers: await ask(lines, true) });
      }}
    >
      <TextArea
        name="invitations"
        label="People"
        rows={8}
        required
        hint="One per line: name, e-mail, and if you like group and code, as in Ana Silva, ana@example.com, Creators, ANA10. Up to 200. Nothing is sent before you have seen what is refused."
      />
    </Form>
  );
}

/** Number of refusals that are shown one by one. */
const SHOWN = 50;

function Refused({ answers }: { readonly answers: readonly Invited[] }) {
  const refused = answers.map((answer, index) => ({ ...answer, index })).filter(({ status }) => status === 'refused');
  if (refused.length === 0) return null;
  return (
    <>
      <Table
        label="Refused"
        rows={refused.slice(0, SHOWN)}
        keyOf={({ index }) => index}
        columns={[
          { title: 'Person', cell: ({ email, index }) => email || `Line ${index + 1}` },
          { title: 'Why not', cell: ({ error }) => error },
        ]}
      />
      {refused.length > SHOWN && <p class="hint">And {countText(refused.length - SHOWN)} more.</p>}
    </>
  );
}

const Sent = ({ answers, onClose }: { readonly answers: readonly Invited[]; readonly onClose: () => void }) => (
  <>
    <p role="status">
      <strong>
        {countText(answers.filter(({ status }) => status === 'invited').length)} of {countText(answers.length)} invited.
      </strong>{' '}
      They have 30 days to accept.
    </p>
    <Refused answers={answers} />
    <div class="form-buttons">
      <button type="button" class="button primary" onClick={onClose} ref={(button) => button?.focus()}>
        Done
      </button>
    </div>
  </>
);
