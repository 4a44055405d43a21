import { useState } from 'preact/hooks';
import type { Query } from '#lib/apps/web/api/api.ts';
import { SelectionBar } from '#lib/apps/dashboard/bulk/selection-bar.tsx';
import { BulkDecision, type BulkSubject } from '#lib/apps/dashboard/commissions/bulk-decision.tsx';
import {
  type DecidableStatus,
  type Decision,
  decisions,
  totalText,
  verbs,
} from '#lib/apps/dashboard/commissions/decide-all.ts';
import type { Selection } from '#lib/apps/web/parts/table/selection.tsx';
import type { Commission } from '#lib/wire/earnings/commission.ts';

interface BulkBarProps {
  /** The status of the commissions to decide on. */
  readonly status: DecidableStatus;
  /** Visible rows that can be decided. */
  readonly open: readonly Commission[];
  /** Whether the list has no rows. */
  readonly isEmpty: boolean;
  readonly selection: Selection<Commission>;
  /** Filters of the list, restricted to the status that can be decided. */
  readonly filters: Query;
  /** Whether there are filters other than the status. */
  readonly isFiltered: boolean;
  readonly onDecided: () => void;
}

/** Decides the selected rows or, if none is selected, all that match. */
export function BulkBar({ status, open, isEmpty, selection, filters, isFiltered, onDecided }: BulkBarProps) {
  const [asked, setAsked] = useState<{ readonly decision: Decision; readonly subject: BulkSubject }>();
  const selected = open.filter(({ id }) => selection.keys.has(id));
  const hasSelected = selected.length > 0;
  const ask = (decision: Decision) => () =>
    setAsked({ decision, subject: hasSelected ? { rows: selected } : { filters } });
  // The result of the last decision is still shown after the list has become empty.
  if (isEmpty && !asked) return null;
  const all = isFiltered ? `all ${status} that match` : `all ${status}`;
  return (
    <SelectionBar
      label="Decide several"
      selection={selection}
      selectable={open}
      selected={selected}
      total={totalText(selected)}
      actions={decisions[status].map((decision) => ({
        text: `${verbs[decision]} ${hasSelected ? 'selected' : all}…`,
        onClick: ask(decision),
      }))}
    >
      {asked && (
        <BulkDecision
          {...asked}
          status={status}
          onClose={() => setAsked(undefined)}
          onDecided={() => {
            selection.clear();
            onDecided();
          }}
        />
      )}
    </SelectionBar>
  );
}
