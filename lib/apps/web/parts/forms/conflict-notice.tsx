import { useState } from 'preact/hooks';
import type { Conflict } from '#lib/apps/web/api/api-error.ts';
import { conflictText, fieldName } from '#lib/apps/web/forms/conflict-text.ts';

interface ConflictNoticeProps {
  readonly conflict: Conflict;
  readonly now: string;
  readonly textOf?: (field: string, value: unknown) => string | undefined;
  /**
   * Called when the person has decided about every field.
   * @param kept fields in which the other person's values are kept
   */
  readonly onDecided: (kept: readonly string[]) => void;
}

/**
 * Shows what another person has changed. For each field, asks whether that value is kept or replaced by the entered
 * one.
 */
export function ConflictNotice({ conflict, now, textOf, onDecided }: ConflictNoticeProps) {
  const { changed, by, at } = conflict;
  const [decisions, setDecisions] = useState<Readonly<Record<string, 'theirs' | 'mine'>>>({});
  const open = Object.keys(changed).filter((field) => !(field in decisions));

  function decide(field: string, decision: 'theirs' | 'mine'): void {
    const all = { ...decisions, [field]: decision };
    setDecisions(all);
    const fields = Object.keys(changed);
    if (fields.every((one) => one in all)) onDecided(fields.filter((one) => all[one] === 'theirs'));
  }
  return (
    <div class="notice warning stack conflict" role="alert">
      {open.map((field) => (
        <div key={field}>
          <p>{conflictText({ by, at, field, value: changed[field] }, now, textOf)}</p>
          <div class="form-buttons">
            <button
              type="button"
              class="button small"
              aria-label={`Keep theirs: ${fieldName(field)}`}
              onClick={() => decide(field, 'theirs')}
            >
              Keep theirs
            </button>
            <button
              type="button"
              class="button small"
              aria-label={`Use mine: ${fieldName(field)}`}
              onClick={() => decide(field, 'mine')}
            >
              Use mine
            </button>
          </div>
        </div>
      ))}
    </div>
  );
}
