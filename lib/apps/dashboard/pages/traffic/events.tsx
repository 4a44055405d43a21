import { csvExport, csvName } from '#lib/apps/dashboard/lists/csv-export.ts';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { eventColumns } from '#lib/apps/dashboard/events/event-columns.tsx';
import { eventCsv } from '#lib/apps/dashboard/events/event-csv.ts';
import { useFilters } from '#lib/apps/web/hooks/use-filters.ts';
import { usePages } from '#lib/apps/web/hooks/use-pages.ts';
import { ChoiceChips } from '#lib/apps/web/parts/table/choice-chips.tsx';
import { Empty } from '#lib/apps/web/parts/table/empty.tsx';
import { ExportButton } from '#lib/apps/web/parts/table/export-button.tsx';
import { FilterBar } from '#lib/apps/web/parts/table/filter-bar.tsx';
import { Page } from '#lib/apps/web/parts/frame/page.tsx';
import { PagedTable } from '#lib/apps/web/parts/table/paged-table.tsx';
import { PartnerFilter } from '#lib/apps/dashboard/parts/filters/partner-filter.tsx';
import { PeriodFilter } from '#lib/apps/web/parts/table/period-filter.tsx';
import { ALL_TIME, allTime, periodOf } from '#lib/apps/web/period.ts';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { programPath } from '#lib/apps/dashboard/static/page-paths.ts';
import type { TrackedEvent } from '#lib/wire/reports/event.ts';

const types = [
  ['', 'All'],
  ['click', 'Clicks'],
  ['lead', 'Leads'],
  ['sale', 'Sales'],
  ['refund', 'Refunds'],
] as const;

export function EventsPage() {
  const { api } = useSession();
  const { program, path } = useProgram();
  const filters = useFilters({
    type: '',
    partner_id: '',
    period: ALL_TIME,
    from: '',
    to: '',
    include_test: '',
  });
  const { values, change } = filters;
  const { type, partner_id, include_test } = values;
  const period = periodOf(values, api.today());
  const query = { type, partner_id, include_test, ...period };
  const pages = usePages<TrackedEvent>(api, `${path}/events`, query);
  return (
    <Page
      title="Events"
      intro="Everything the service recorded, newest first."
      actions={
        <>
          <a href={programPath('payments', program.id)}>Payments that did not become a sale</a>
          <ExportButton
            fileName={csvName(type === '' ? 'events' : `${type}s`, program.id, period)}
            make={csvExport<TrackedEvent>(api, `${path}/events`, query, () => eventCsv)}
          />
          <button type="button" class="button" onClick={() => void pages.reload()}>
            Refresh
          </button>
        </>
      }
    >
      <ChoiceChips label="Type" value={type} onChange={(chosen) => change({ type: chosen })} options={types} />
      <FilterBar filters={filters}>
        <PartnerFilter value={partner_id} onChange={(chosen) => change({ partner_id: chosen })} />
        <PeriodFilter chosen={values} onChange={change} first={allTime} />
        <label class="filter-check">
          <input
            type="checkbox"
            checked={include_test !== ''}
            onChange={(event) => change({ include_test: event.currentTarget.checked ? 'true' : '' })}
          />
          With test events
        </label>
      </FilterBar>
      <PagedTable
        label="Events"
        pages={pages}
        keyOf={(event) => `${event.type} ${event.id}`}
        columns={eventColumns(program.id)}
        empty={
          filters.changed > 0 ? (
            <Empty title="Nothing matches these filters">
              <button type="button" class="button" onClick={filters.reset}>
                Show everything
              </button>
            </Empty>
          ) : (
            <Empty title="No events yet">
              <p>The first click, signup or sale appears here.</p>
              <a class="button" href={programPath('setup', program.id)}>
                Go on with the set-up
              </a>
            </Empty>
          )
        }
      />
    </Page>
  );
}
