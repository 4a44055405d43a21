import { CopyButton } from '#lib/apps/web/parts/forms/copy-button.tsx';

interface SnippetProps {
  readonly text: string;
  readonly what: string;
}

/** Shows a text, such as code, with a button that copies it. */
export const Snippet = ({ text, what }: SnippetProps) => (
  // A single line, such as a secret, is wrapped, so that a person sees all of it.
  <div class={`snippet ${text.includes('\n') ? '' : 'one-line'}`}>
    <pre tabIndex={0} aria-label={what}>
      <code>{text}</code>
    </pre>
    <CopyButton text={text} what={what} />
  </div>
);
