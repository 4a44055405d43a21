import { CopyButton } from '#lib/apps/web/parts/forms/copy-button.tsx';

/** Shows a text, such as code, with a button that copies it. */
export const Snippet = ({ text, what }: { readonly text: string; readonly what: string }) => (
  <div class="snippet">
    <pre tabIndex={0} aria-label={what}>
      <code>{text}</code>
    </pre>
    <CopyButton text={text} what={what} />
  </div>
);
