import { useState } from 'preact/hooks';
import { Dialog } from '#lib/apps/web/parts/forms/dialog.tsx';
import { Form } from '#lib/apps/web/parts/forms/form.tsx';

/** A change of terms before it is saved. */
interface ChangeOfTerms {
  /** The terms that partners are offered, in words. */
  readonly before: string;
  readonly after: string;
  /** A sentence about who is affected by the change. */
  readonly concerns: string;
}

/** Asks before terms are changed. @returns a function that asks, and the dialog to show */
export function useTermsQuestion() {
  const [asked, setAsked] = useState<ChangeOfTerms & { readonly answer: (isWanted: boolean) => void }>();

  const ask = (change: ChangeOfTerms): Promise<boolean> =>
    new Promise((resolve) => {
      setAsked({
        ...change,
        answer: (isWanted) => {
          setAsked(undefined);
          resolve(isWanted);
        },
      });
    });
  const dialog = asked && (
    <Dialog title="Change what partners earn?" onClose={() => asked.answer(false)}>
      <dl class="facts">
        <dt>Until now</dt>
        <dd>{asked.before}</dd>
        <dt>From now on</dt>
        <dd>{asked.after}</dd>
      </dl>
      <p>
        For sales from now on. {asked.concerns} Those who have accepted get a mail when you have changed nothing more
        for ten minutes.
      </p>
      <Form submit="Change terms" onCancel={() => asked.answer(false)} onSubmit={async () => asked.answer(true)} />
    </Dialog>
  );
  return { ask, dialog };
}
