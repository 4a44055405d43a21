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
  /** The status of the commissions about which the owner decides. */
  readonly status: DecidableStatus;
  /** The commissions on the page about which the owner can decide. */
  readonly open: readonly Commission[];
  /** Whether the list has no rows. */
  readonly isEmpty: boolean;
  readonly selection: Selection<Commission>;
  /** The filters of the list, limited to commissions about which the owner can decide. */
  readonly filters: Query;
  /** Whether other filters than the status are set. */
  readonly isFiltered: boolean;
  readonly onDecided: () => void;
}

/** A bar for decisions about the selected commissions or, if none is selected, about all that match the filters. */
export function BulkBar({ status, open, isEmpty, selection, filters, isFiltered, onDecided }: BulkBarProps) {
  const [asked, setAsked] = useState<{ readonly decision: Decision; readonly subject: BulkSubject }>();
  const selected = open.filter(({ id }) => selection.keys.has(id));
  const hasSelected = selected.length > 0;
  const ask = (decision: Decision) => () =>
    setAsked({ decision, subject: hasSelected ? { rows: selected } : { filters } });
  // After a decision the list may be empty; the bar then stays, because it shows the result.
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
