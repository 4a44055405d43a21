import { useState } from 'preact/hooks';
import type { Query } from '#lib/apps/web/api.ts';
import { BulkDecision, type BulkSubject } from '#lib/apps/dashboard/commissions/bulk-decision.tsx';
import { type Decision, totalText } from '#lib/apps/dashboard/commissions/decide-all.ts';
import { countText } from '#lib/apps/web/format.ts';
import type { Selection } from '#lib/apps/web/parts/selection.tsx';
import type { Commission } from '#lib/wire/commission.ts';

interface BulkBarProps {
  /** Rows that are shown and can be decided. */
  readonly pending: readonly Commission[];
  readonly selection: Selection<Commission>;
  /** Of what is shown, with the status that can be decided. */
  readonly filters: Query;
  /** They are more than the status. */
  readonly isFiltered: boolean;
  readonly onDecided: () => void;
}

/** Decides the chosen rows; when there are none, all that match. */
export function BulkBar({ pending, selection, filters, isFiltered, onDecided }: BulkBarProps) {
  const [asked, setAsked] = useState<{ readonly decision: Decision; readonly subject: BulkSubject }>();
  const selected = pending.filter(({ id }) => selection.keys.has(id));
  const hasSelected = selected.length > 0;
  const ask = (decision: Decision) => () =>
    setAsked({ decision, subject: hasSelected ? { rows: selected } : { filters } });
  const all = isFiltered ? 'all pending that match' : 'all pending';
  return (
    <div class="bulk-bar" role="group" aria-label="Decide several">
      {hasSelected && (
        <span role="status">
          {countText(selected.length)} selected, {totalText(selected)}
        </span>
      )}
      <button type="button" class="button small" onClick={ask('approve')}>
        Approve {hasSelected ? 'selected' : all}…
      </button>
      <button type="button" class="button small" onClick={ask('reject')}>
        Reject {hasSelected ? 'selected' : all}…
      </button>
      {selected.length < pending.length && (
        <button type="button" class="button small" onClick={() => selection.set(pending, true)}>
          Select all shown
        </button>
      )}
      {hasSelected && (
        <button type="button" class="button small" onClick={selection.clear}>
          Clear selection
        </button>
      )}
      {asked && (
        <BulkDecision
          {...asked}
          onClose={() => setAsked(undefined)}
          onDecided={() => {
            selection.clear();
            onDecided();
          }}
        />
      )}
    </div>
  );
}
