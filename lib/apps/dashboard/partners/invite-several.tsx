import { useState } from 'preact/hooks';
import { invitationsIn, linesIn, type InvitationLine } from '#lib/apps/dashboard/partners/invitation-lines.ts';
import { InvitedLines, type AnsweredLine } from '#lib/apps/dashboard/partners/invited-lines.tsx';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { countOf, countText } from '#lib/apps/web/format.ts';
import { TextArea } from '#lib/apps/web/parts/forms/field.tsx';
import { Form } from '#lib/apps/web/parts/forms/form.tsx';
import type { Invited } from '#lib/wire/partners/invited.ts';

interface InviteSeveralProps {
  readonly onClose: () => void;
  readonly onAdded: () => Promise<void>;
}

/** Invites a pasted list of people by mail. The list is first checked by a preview and then sent. */
export function InviteSeveral({ onClose, onAdded }: InviteSeveralProps) {
  const { api } = useSession();
  const { path } = useProgram();
  const [text, setText] = useState('');
  const [checked, setChecked] = useState<readonly AnsweredLine[]>();
  const [sent, setSent] = useState<readonly AnsweredLine[]>();

  async function ask(lines: readonly InvitationLine[], preview: boolean): Promise<readonly AnsweredLine[]> {
    const answers = await api.send<Invited[]>('POST', `${path}/invitations`, { invitations: lines, preview });
    return lines.map((line, index) => ({ ...line, ...answers[index]! }));
  }
  if (sent) {
    const left = sent.filter(({ status }) => status === 'refused').length;
    const correct = () => {
      setText(
        linesIn(text)
          .filter((_, index) => sent[index]!.status === 'refused')
          .join('\n'),
      );
      setChecked(undefined);
      setSent(undefined);
    };
    return <Sent lines={sent} left={left} onCorrect={correct} onClose={onClose} />;
  }
  if (checked) {
    const ready = checked.filter(({ status }) => status === 'ready');
    const change = () => setChecked(undefined);
    return (
      <>
        <p role="status">
          <strong>
            {countText(ready.length)} of {countOf(checked.length, 'invitation')} can be sent.
          </strong>
          {ready.length < checked.length && ready.length > 0 && ' The others are left out.'}
        </p>
        {ready.length > 0 ? (
          <Form
            submit={ready.length === 1 ? 'Invite 1 person' : `Invite ${countText(ready.length)} people`}
            further={
              <button type="button" class="button" onClick={change}>
                Change the list
              </button>
            }
            onSubmit={async () => {
              try {
                const answers = await ask(ready.map(askedOf), false);
                setSent(checked.map((line) => (line.status === 'ready' ? answers[ready.indexOf(line)]! : line)));
              } finally {
                await onAdded();
              }
            }}
          />
        ) : (
          <div class="form-buttons">
            <button type="button" class="button" onClick={change}>
              Change the list
            </button>
          </div>
        )}
        <InvitedLines label="Checked invitations" of={checked} />
      </>
    );
  }
  return (
    <Form
      submit="Check"
      onCancel={onClose}
      onSubmit={async ({ invitations = '' }) => {
        setText(invitations);
        setChecked(await ask(invitationsIn(invitations), true));
      }}
    >
      <TextArea
        name="invitations"
        label="People"
        rows={8}
        required
        hint="One per line: name, e-mail, and if you like group and code, as in Ana Silva, ana@example.com, Creators, ANA10. Up to 200. Nothing is sent before you have seen what is refused."
        defaultValue={text}
      />
    </Form>
  );
}

/** A line without its answer. */
const askedOf = ({ name, email, group, code }: AnsweredLine): InvitationLine => ({ name, email, group, code });

interface SentProps {
  readonly lines: readonly AnsweredLine[];
  /** How many of the lines were refused. */
  readonly left: number;
  readonly onCorrect: () => void;
  readonly onClose: () => void;
}

const Sent = ({ lines, left, onCorrect, onClose }: SentProps) => (
  <>
    <p role="status">
      <strong>
        {countText(lines.filter(({ status }) => status === 'invited').length)} of {countText(lines.length)} invited.
      </strong>{' '}
      They have 30 days to accept.
    </p>
    <div class="form-buttons">
      <button type="button" class="button primary" onClick={onClose} ref={(button) => button?.focus()}>
        Done
      </button>
      {left > 0 && (
        <button type="button" class="button" onClick={onCorrect}>
          {`Correct ${countOf(left, 'line')}`}
        </button>
      )}
    </div>
    <InvitedLines label="Sent invitations" of={lines} />
  </>
);
