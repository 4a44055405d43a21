import { useEffect } from 'preact/hooks';
import { BulkBar } from '#lib/apps/dashboard/commissions/bulk-bar.tsx';
import { commissionColumns } from '#lib/apps/dashboard/commissions/commission-columns.tsx';
import { CommissionDecision } from '#lib/apps/dashboard/commissions/commission-decision.tsx';
import type { OpenStatus } from '#lib/apps/dashboard/commissions/decide-all.ts';
import { sourceName } from '#lib/apps/dashboard/commissions/commission-source.tsx';
import { csvName } from '#lib/apps/dashboard/lists/csv-export.ts';
import { currencyOptions } from '#lib/apps/dashboard/program/currencies.ts';
import { useInstallation } from '#lib/apps/web/api/installation-context.ts';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { useFilters } from '#lib/apps/web/hooks/use-filters.ts';
import { usePages } from '#lib/apps/web/hooks/use-pages.ts';
import { ChoiceFilter } from '#lib/apps/web/parts/table/choice-filter.tsx';
import { Empty } from '#lib/apps/web/parts/table/empty.tsx';
import { ExportButton } from '#lib/apps/web/parts/table/export-button.tsx';
import { FilterBar } from '#lib/apps/web/parts/table/filter-bar.tsx';
import { Page } from '#lib/apps/web/parts/frame/page.tsx';
import { PagedTable } from '#lib/apps/web/parts/table/paged-table.tsx';
import { PartnerFilter } from '#lib/apps/dashboard/parts/filters/partner-filter.tsx';
import { PeriodFilter } from '#lib/apps/web/parts/table/period-filter.tsx';
import { useSelection } from '#lib/apps/web/parts/table/selection.tsx';
import { ALL_TIME, allTime, periodOf } from '#lib/apps/web/period.ts';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { programPath } from '#lib/apps/dashboard/static/page-paths.ts';
import type { Commission } from '#lib/wire/earnings/commission.ts';

const statuses = [
  ['', 'All'],
  ['held', 'Held for review'],
  ['pending', 'Pending'],
  ['approved', 'Approved'],
  ['paid', 'Paid'],
  ['rejected', 'Rejected'],
  ['reversed', 'Reversed'],
] as const;

export function CommissionsPage() {
  const { api, isOwner } = useSession();
  const { program, path } = useProgram();
  const { currencies } = useInstallation();
  const filters = useFilters({
    status: '',
    flagged: '',
    partner_id: '',
    currency: '',
    period: ALL_TIME,
    from: '',
    to: '',
  });
  const { values, change } = filters;
  const { status, flagged, partner_id, currency } = values;
  const period = periodOf(values, api.today());
  const query = { status, flagged, partner_id, currency, ...period };
  const pages = usePages<Commission>(api, `${path}/commissions`, query);
  const decided: OpenStatus = status === 'held' ? 'held' : 'pending';
  const selection = useSelection<Commission>({
    keyOf: ({ id }) => id,
    isSelectable: (commission) => commission.status === decided,
    labelOf: (commission) => `the commission of ${sourceName(commission)}`,
  });
  const shown = JSON.stringify(query);
  // Clears the selection when the rows change, because selected rows must be visible.
  useEffect(selection.clear, [shown]);
  const replace = (now: Commission) => pages.replace(({ id }) => id === now.id, now);
  const isFiltered = filters.changed > 0;
  const isNoneHeld = status === 'held' && filters.changed === 1;
  return (
    <Page
      title="Commissions"
      intro={
        status === 'held' ? (
          <>
            {HELD} <a href={`${programPath('settings', program.id)}#rules`}>The rules are in the settings</a>.
          </>
        ) : (
          introFor(program.hold_period_days, program.auto_approve)
        )
      }
      actions={
        <>
          <ExportButton
            fileName={csvName('commissions', program.id, period)}
            make={async () => ({ content: await api.download(`${path}/commissions.csv`, query), isWhole: true })}
          />
          {isOwner ? (
            <a class="button primary" href={programPath('newPayout', program.id)}>
              Pay out
            </a>
          ) : (
            <p class="hint">A workspace owner pays out.</p>
          )}
        </>
      }
    >
      <FilterBar filters={filters}>
        <ChoiceFilter label="Status" value={status} onChange={(to) => change({ status: to })} options={statuses} />
        <PartnerFilter value={partner_id} onChange={(to) => change({ partner_id: to })} />
        <ChoiceFilter
          label="Currency"
          value={currency}
          onChange={(to) => change({ currency: to })}
          options={[['', 'All'], ...currencyOptions(currencies)]}
        />
        <PeriodFilter chosen={values} onChange={change} first={allTime} />
        <label class="filter-check">
          <input
            type="checkbox"
            checked={flagged !== ''}
            onChange={(event) => change({ flagged: event.currentTarget.checked ? 'true' : '' })}
          />
          Flagged by a rule
        </label>
      </FilterBar>
      {(status === '' || status === decided) && (isFiltered || pages.items?.length !== 0) && (
        <BulkBar
          status={decided}
          open={(pages.items ?? []).filter(selection.isSelectable)}
          isEmpty={pages.items?.length === 0 && !pages.hasMore}
          selection={selection}
          filters={{ ...query, status: decided }}
          isFiltered={filters.changed > (status === '' ? 0 : 1)}
          onDecided={() => void pages.reload()}
        />
      )}
      <PagedTable
        label="Commissions"
        pages={pages}
        keyOf={({ id }) => id}
        selection={selection}
        columns={[
          ...commissionColumns(program),
          {
            title: 'Actions',
            isUntitled: true,
            cell: (commission) => <CommissionDecision commission={commission} onChange={replace} />,
          },
        ]}
        empty={
          isFiltered ? (
            <Empty title={isNoneHeld ? 'Nothing is held for review' : 'No commission matches these filters'}>
              <button type="button" class="button" onClick={filters.reset}>
                Show all
              </button>
            </Empty>
          ) : (
            <Empty title="No commissions yet">
              <p>The first sale that a partner brought creates one.</p>
            </Empty>
          )
        }
      />
    </Page>
  );
}

const HELD =
  'A rule of the program held these. They are in no payout and in no figure of commissions until someone releases them; their partners read that they are in review, not why. What held a commission does not hold the same customer again after its release.';

const introFor = (holdDays: number, isAutomatic: boolean): string =>
  isAutomatic
    ? `A commission waits ${holdDays} days for refunds, then is approved by itself. Approve it earlier, or reject it.`
    : 'A commission waits until someone approves it. This program does not approve commissions automatically.';
