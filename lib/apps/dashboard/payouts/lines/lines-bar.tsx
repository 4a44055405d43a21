import { useState } from 'preact/hooks';
import { SelectionBar } from '#lib/apps/dashboard/bulk/selection-bar.tsx';
import { ChangeLines } from '#lib/apps/dashboard/payouts/lines/change-lines.tsx';
import { gatherLines } from '#lib/apps/dashboard/payouts/lines/gather-lines.ts';
import { lineChanges, lineStatuses, lineTotals } from '#lib/apps/dashboard/payouts/lines/line-changes.ts';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import type { Query } from '#lib/apps/web/api/api.ts';
import { moneysText } from '#lib/apps/web/format.ts';
import type { Selection } from '#lib/apps/web/parts/table/selection.tsx';
import type { LineStatus } from '#lib/wire/earnings/line-status.ts';
import type { Payout } from '#lib/wire/earnings/payout.ts';
import type { PayoutLine } from '#lib/wire/earnings/payout-line.ts';

interface LinesBarProps {
  readonly path: string;
  readonly payout: Payout;
  /** The lines on the page. */
  readonly lines: readonly PayoutLine[];
  readonly selection: Selection<PayoutLine>;
  readonly filters: Query & { readonly status?: string };
  readonly isFiltered: boolean;
  readonly onChanged: () => void;
}

const order = ['sent', 'paid', 'failed', 'void', 'recorded'] as const satisfies readonly LineStatus[];

/** A bar that changes the status of the selected lines or, if none is selected, of all lines that match the filters. */
export function LinesBar({ path, payout, lines, selection, filters, isFiltered, onChanged }: LinesBarProps) {
  const { api } = useSession();
  const [asked, setAsked] = useState<{
    readonly to: LineStatus;
    readonly subject: Parameters<typeof ChangeLines>[0]['subject'];
  }>();
  const selected = lines.filter((line) => selection.keys.has(selection.keyOf(line)));
  const hasSelected = selected.length > 0;
  const present = hasSelected ? selected.map(({ status }) => status) : statusesIn(payout, filters.status);
  const offered = order.filter((to) => lineChanges[to].from.some((from) => present.includes(from)));
  const selectable = lines.filter((line) => selection.isSelectable(line));

  const ask = (to: LineStatus) => () => {
    const from = lineChanges[to].from.filter((status) => present.includes(status));
    setAsked({
      to,
      subject: hasSelected
        ? selected.filter(({ status }) => from.includes(status))
        : (task) => gatherLines(api, path, filters, from, task),
    });
  };
  if (offered.length === 0 && !asked) return null;
  return (
    <SelectionBar
      label="Change several lines"
      selection={selection}
      selectable={selectable}
      selected={selected}
      total={moneysText(lineTotals(selected))}
      actions={offered.map((to) => ({
        text: `${lineChanges[to].command(hasSelected ? 'selected' : isFiltered ? 'all that match' : 'all')}…`,
        onClick: ask(to),
      }))}
    >
      {asked && (
        <ChangeLines
          path={path}
          to={asked.to}
          subject={asked.subject}
          onClose={() => setAsked(undefined)}
          onChanged={() => {
            selection.clear();
            onChanged();
          }}
        />
      )}
    </SelectionBar>
  );
}

/** The statuses that lines of the payout have. If the filter is set to a status, only that one. */
const statusesIn = ({ by_status: by }: Payout, status = ''): readonly LineStatus[] =>
  lineStatuses.filter((one) => by[one].lines > 0 && (status === '' || status === one));
