import { useState } from 'preact/hooks';
import { Dialog } from '#lib/apps/web/parts/forms/dialog.tsx';
import { Form } from '#lib/apps/web/parts/forms/form.tsx';

/** A change of terms that is not saved yet. */
interface ChangeOfTerms {
  /** What partners are offered before the change, in words. */
  readonly before: string;
  readonly after: string;
  /** A sentence that says for whom the change applies. */
  readonly concerns: string;
}

/** Asks the owner before terms are changed. @returns a function that asks, and the dialog that must be rendered */
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
