import { useId } from 'preact/hooks';

/** The program's own text, unchanged. */
export const TermsText = ({ text }: { readonly text: string }) => (
  <section class="card" aria-labelledby="terms-text">
    <h2 id="terms-text">Terms of the program</h2>
    {/* The text can be scrolled by keyboard, too. */}
    <div class="terms-text" tabIndex={0}>
      {text}
    </div>
  </section>
);

/** A checkbox for accepting the terms. The browser does not submit the form unless the box is checked. */
export function AcceptTerms() {
  const id = useId();
  return (
    <div class="field checkbox">
      <input id={id} type="checkbox" required />
      <label for={id}>I have read the terms and accept them</label>
    </div>
  );
}
