import { Check, Copy } from 'lucide';
import { useEffect, useState } from 'preact/hooks';
import { Icon } from '#lib/apps/web/parts/figures/icon.tsx';

const SHOWN_MS = 2_000;

interface CopyButtonProps {
  readonly text: string;
  /** Says to screen readers what the button copies. */
  readonly what: string;
  readonly label?: string;
}

export function CopyButton({ text, what, label = 'Copy' }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<'Copied' | 'Select and copy'>();

  useEffect(() => {
    if (!outcome) return undefined;
    const timer = setTimeout(() => setOutcome(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);

  // Browsers may refuse access to the clipboard, for example if the page is embedded in another application.
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
      <Icon of={outcome === 'Copied' ? Check : Copy} />
      <span aria-live="polite">{outcome ?? label}</span>
    </button>
  );
}
