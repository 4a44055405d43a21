import { useState } from 'preact/hooks';
import { useProgram } from '#lib/apps/dashboard/current-program.ts';
import { eventColumns } from '#lib/apps/dashboard/events/event-columns.tsx';
import { usePages } from '#lib/apps/dashboard/hooks/use-pages.ts';
import { programPath } from '#lib/apps/dashboard/static/page-paths.ts';
import { ChoiceFilter } from '#lib/apps/dashboard/parts/choice-filter.tsx';
import { DateFilter } from '#lib/apps/dashboard/parts/date-filter.tsx';
import { Empty } from '#lib/apps/dashboard/parts/empty.tsx';
import { Page } from '#lib/apps/dashboard/parts/page.tsx';
import { PagedTable } from '#lib/apps/dashboard/parts/paged-table.tsx';
import { useSession } from '#lib/apps/dashboard/session.ts';
import type { TrackedEvent } from '#lib/wire/event.ts';

const types = [
  ['', 'All'],
  ['click', 'Clicks'],
  ['lead', 'Leads'],
  ['sale', 'Sales'],
  ['refund', 'Refunds'],
] as const;

const everything = { type: '', from: '', to: '', includesTests: false };

export function EventsPage() {
  const { api } = useSession();
  const { program, path } = useProgram();
  const [filters, setFilters] = useState(everything);
  const change = (changes: Partial<typeof everything>) => setFilters({ ...filters, ...changes });
  const { type, from, to, includesTests } = filters;
  const query = { type, from, to, include_test: includesTests ? 'true' : undefined };
  const pages = usePages<TrackedEvent>(api, `${path}/events`, query);
  const isFiltered = type !== '' || from !== '' || to !== '';
  return (
    <Page title="Events" intro="Everything the service recorded, newest first.">
      <div class="filters">
        <ChoiceFilter label="Type" value={type} onChange={(chosen) => change({ type: chosen })} options={types} />
        <DateFilter label="From" value={from} onChange={(date) => change({ from: date })} />
        <DateFilter label="To" value={to} onChange={(date) => change({ to: date })} />
        <label class="filter-check">
          <input
            type="checkbox"
            checked={includesTests}
            onChange={(event) => change({ includesTests: event.currentTarget.checked })}
          />
          With test events
        </label>
        <button type="button" class="button" onClick={() => void pages.reload()}>
          Refresh
        </button>
      </div>
      <PagedTable
        label="Events"
        pages={pages}
        keyOf={(event) => `${event.type} ${event.id}`}
        columns={eventColumns(program.id)}
        empty={
          isFiltered ? (
            <Empty title="Nothing matches these filters">
              <button type="button" class="button" onClick={() => setFilters(everything)}>
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
