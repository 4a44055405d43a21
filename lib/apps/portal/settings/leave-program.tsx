import { useState } from 'preact/hooks';
import { Dialog } from '#lib/apps/web/parts/forms/dialog.tsx';
import { Form } from '#lib/apps/web/parts/forms/form.tsx';
import { useSession } from '#lib/apps/portal/session.ts';
import type { JoinedProgram } from '#lib/wire/partners/portal-program.ts';

interface LeaveProgramProps {
  readonly program: JoinedProgram;
  readonly onLeft: () => void;
}

/** A button that ends the partnership in a program after a question. */
export function LeaveProgram({ program: { program_id: id, name }, onLeft }: LeaveProgramProps) {
  const { api, reload } = useSession();
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <button type="button" class="button small danger" onClick={() => setAsking(true)} aria-label={`Leave ${name}…`}>
        Leave…
      </button>
      {isAsking && (
        <Dialog title={`Leave ${name}?`} onClose={() => setAsking(false)}>
          <p>
            Your links and codes count nothing new from now on. What you have earned stays yours and is paid as agreed,
            and you can read it here.
          </p>
          <p>
            The brand sees no later change of your payout details, unless you are in another program of it. You come
            back only if it invites you and you accept.
          </p>
          <Form
            submit="Leave the program"
            isDangerous
            onSubmit={async () => {
              await api.send('POST', `/programs/${id}/leave`);
              setAsking(false);
              await reload();
              onLeft();
            }}
            onCancel={() => setAsking(false)}
          />
        </Dialog>
      )}
    </>
  );
}
