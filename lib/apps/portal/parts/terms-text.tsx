import { useId } from 'preact/hooks';

/** Shows the text that the program has entered as its terms, unchanged. */
export const TermsText = ({ text }: { readonly text: string }) => (
  <section class="card" aria-labelledby="terms-text">
    <h2 id="terms-text">Terms of the program</h2>
    {/* With a tab index, the text can be scrolled by keyboard. */}
    <div class="terms-text" tabIndex={0}>
      {text}
    </div>
  </section>
);

/** A checkbox for accepting the terms. Without it, the browser does not send the form. */
export function AcceptTerms() {
  const id = useId();
  return (
    <div class="field checkbox">
      <input id={id} type="checkbox" required />
      <label for={id}>I have read the terms and accept them</label>
    </div>
  );
}
