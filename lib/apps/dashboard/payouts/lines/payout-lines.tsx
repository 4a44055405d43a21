import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { payoutMethods } from '#lib/apps/web/payout-methods.ts';
import { lineStatuses } from '#lib/apps/dashboard/payouts/lines/line-changes.ts';
import { lineStatusNames } from '#lib/apps/web/line-status-names.ts';
import { lineColumns, nameOfLine } from '#lib/apps/dashboard/payouts/lines/line-columns.tsx';
import { LinesBar } from '#lib/apps/dashboard/payouts/lines/lines-bar.tsx';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { countText } from '#lib/apps/web/format.ts';
import { useFilters } from '#lib/apps/web/hooks/use-filters.ts';
import { usePages } from '#lib/apps/web/hooks/use-pages.ts';
import type { Option } from '#lib/apps/web/parts/forms/option.ts';
import { ChoiceChips } from '#lib/apps/web/parts/table/choice-chips.tsx';
import { ChoiceFilter } from '#lib/apps/web/parts/table/choice-filter.tsx';
import { Empty } from '#lib/apps/web/parts/table/empty.tsx';
import { FilterBar } from '#lib/apps/web/parts/table/filter-bar.tsx';
import { PagedTable } from '#lib/apps/web/parts/table/paged-table.tsx';
import { useSelection } from '#lib/apps/web/parts/table/selection.tsx';
import type { Payout } from '#lib/wire/earnings/payout.ts';
import type { PayoutLine } from '#lib/wire/earnings/payout-line.ts';

interface PayoutLinesProps {
  readonly payout: Payout;
  readonly actions: ComponentChildren;
  /** Called when lines were changed. */
  readonly onChanged: () => void;
}

/** Lists the lines of a payout by status, and where the money is sent. Owners can change several lines. */
export function PayoutLines({ payout, actions, onChanged }: PayoutLinesProps) {
  const { api, isOwner } = useSession();
  const { program, path } = useProgram();
  const filters = useFilters({ status: '', method: '', currency: '' });
  const linesPath = `${path}/payouts/${payout.id}/lines`;
  const pages = usePages<PayoutLine>(api, linesPath, filters.values);
  const selection = useSelection<PayoutLine>({
    keyOf: ({ id }) => id,
    isSelectable: ({ status }) => status !== 'failed' && status !== 'void',
    labelOf: (line) => `the line of ${nameOfLine(line)} in ${line.currency}`,
  });
  const shown = JSON.stringify(filters.values);
  // When the rows change, the selection is cleared, because a person must see which rows are selected.
  useEffect(selection.clear, [shown]);
  const currencies = Object.keys(payout.totals);
  const mayChange = isOwner && payout.status === 'made';
  return (
    <section aria-labelledby="lines">
      <div class="section-header first">
        <h2 id="lines">Amounts</h2>
        {actions && <div class="page-actions no-print">{actions}</div>}
      </div>
      {mayChange && (
        <p class="hint list-note no-print">
          The file has the account numbers, too; the text has names and amounts only. Mark what you have sent, so that
          the partners read it.
        </p>
      )}
      <div class="no-print">
        <ChoiceChips
          label="Status"
          value={filters.values.status}
          onChange={(status) => filters.change({ status })}
          options={statusOptions(payout)}
        />
        <FilterBar filters={filters}>
          <ChoiceFilter
            label="Paid to"
            value={filters.values.method}
            onChange={(method) => filters.change({ method })}
            options={methodOptions}
          />
          {currencies.length > 1 && (
            <ChoiceFilter
              label="Currency"
              value={filters.values.currency}
              onChange={(currency) => filters.change({ currency })}
              options={[['', 'All currencies'], ...currencies.map((one): Option => [one, one])]}
            />
          )}
        </FilterBar>
        {mayChange && (
          <LinesBar
            path={linesPath}
            payout={payout}
            lines={pages.items ?? []}
            selection={selection}
            filters={filters.values}
            isFiltered={filters.changed > 0}
            onChanged={() => {
              void pages.reload();
              onChanged();
            }}
          />
        )}
      </div>
      <PagedTable
        label="Amounts"
        pages={pages}
        keyOf={({ id }) => id}
        columns={lineColumns(program.id, isOwner)}
        selection={mayChange ? selection : undefined}
        empty={
          filters.changed > 0 ? (
            <Empty title="No line matches these filters">
              <button type="button" class="button" onClick={filters.reset}>
                Show all
              </button>
            </Empty>
          ) : (
            <Empty title="No lines yet">
              <p>They appear while the payout is recorded.</p>
            </Empty>
          )
        }
      />
    </section>
  );
}

const statusOptions = ({ lines, by_status: by }: Payout): readonly Option[] => [
  ['', `All ${countText(lines)}`],
  ...lineStatuses
    .filter((status) => by[status].lines > 0)
    .map((status): Option => [status, `${lineStatusNames[status]} ${countText(by[status].lines)}`]),
];

const methodOptions: readonly Option[] = [
  ['', 'All methods'],
  ...Object.entries(payoutMethods).map(([method, name]): Option => [method, name]),
  ['none', 'No details'],
];
