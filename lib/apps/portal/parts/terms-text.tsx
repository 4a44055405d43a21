import { useId } from 'preact/hooks';

/** The program's own words, as they were written. */
export const TermsText = ({ text }: { readonly text: string }) => (
  <section class="card" aria-labelledby="terms-text">
    <h2 id="terms-text">Terms of the program</h2>
    {/* It scrolls, by the keyboard, too. */}
    <div class="terms-text" tabIndex={0}>
      {text}
    </div>
  </section>
);

/** Without this mark a browser does not send the form. */
export function AcceptTerms() {
  const id = useId();
  return (
    <div class="field checkbox">
      <input id={id} type="checkbox" required />
      <label for={id}>I have read the terms and accept them</label>
    </div>
  );
}
