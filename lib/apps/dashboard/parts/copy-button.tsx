import { useEffect, useState } from 'preact/hooks';

const SHOWN_MS = 2_000;

/** @param what is copied, for screen readers */
export function CopyButton({ text, what }: { readonly text: string; readonly what: string }) {
  const [outcome, setOutcome] = useState<'Copied' | 'Select and copy'>();

  useEffect(() => {
    if (!outcome) return undefined;
    const timer = setTimeout(() => setOutcome(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);

  // Browsers may refuse the clipboard, for instance inside other applications.
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setOutcome('Copied'),
      () => setOutcome('Select and copy'),
    );
  return (
    <button
      type="button"
      class="button small"
      aria-label={outcome ? undefined : `Copy ${what}`}
      onClick={() => void copy()}
    >
      <span aria-live="polite">{outcome ?? 'Copy'}</span>
    </button>
  );
}
