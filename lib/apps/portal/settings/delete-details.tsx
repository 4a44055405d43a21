import { useState } from 'preact/hooks';
import { Dialog } from '#lib/apps/web/parts/forms/dialog.tsx';
import { Form } from '#lib/apps/web/parts/forms/form.tsx';
import { Outcome } from '#lib/apps/web/parts/forms/outcome.tsx';
import { Section } from '#lib/apps/web/parts/frame/section.tsx';
import { useSession } from '#lib/apps/portal/session.ts';

/** A button that deletes the payout details after a question. */
export function DeleteDetailsSection() {
  const { api } = useSession();
  const [isAsking, setAsking] = useState(false);
  const [isDone, setDone] = useState(false);
  return (
    <Section
      id="delete-details"
      title="Delete your payout details"
      intro="Then no brand sees them, and none can pay you by them: neither those whose partner you are, nor former ones."
    >
      <button type="button" class="button danger" onClick={() => setAsking(true)}>
        Delete payout details…
      </button>
      {isDone && <Outcome>Your payout details are deleted.</Outcome>}
      {isAsking && (
        <Dialog title="Delete your payout details?" onClose={() => setAsking(false)}>
          <p>What you have earned stays yours. Enter details again before you are to be paid.</p>
          <Form
            submit="Delete payout details"
            isDangerous
            onSubmit={async () => {
              await api.send('DELETE', '/payout-details');
              setAsking(false);
              setDone(true);
            }}
            onCancel={() => setAsking(false)}
          />
        </Dialog>
      )}
    </Section>
  );
}
