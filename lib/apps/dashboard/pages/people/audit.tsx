import { auditColumns } from '#lib/apps/dashboard/audit/audit-columns.tsx';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { useFilters } from '#lib/apps/web/hooks/use-filters.ts';
import { usePages } from '#lib/apps/web/hooks/use-pages.ts';
import { Empty } from '#lib/apps/web/parts/table/empty.tsx';
import { Page } from '#lib/apps/web/parts/frame/page.tsx';
import { FilterBar } from '#lib/apps/web/parts/table/filter-bar.tsx';
import { PeriodFilter } from '#lib/apps/web/parts/table/period-filter.tsx';
import { ALL_TIME, allTime, periodOf } from '#lib/apps/web/period.ts';
import { PagedTable } from '#lib/apps/web/parts/table/paged-table.tsx';
import type { AuditEntry } from '#lib/wire/people/audit.ts';

export function AuditPage() {
  const { api, workspace, isOwner } = useSession();
  return (
    <Page title="Audit list" intro={`Who changed what in ${workspace.name}, for two years, newest first.`}>
      {isOwner ? <Entries api={api} /> : <p class="muted">Only a workspace owner reads it.</p>}
    </Page>
  );
}

function Entries({ api }: Pick<ReturnType<typeof useSession>, 'api'>) {
  const filters = useFilters({ period: ALL_TIME, from: '', to: '' });
  const pages = usePages<AuditEntry>(api, '/workspace/audit', { ...periodOf(filters.values, api.today()) });
  return (
    <>
      <FilterBar filters={filters}>
        <PeriodFilter chosen={filters.values} onChange={filters.change} first={allTime} />
      </FilterBar>
      <PagedTable
        label="Audit list"
        pages={pages}
        keyOf={({ id }) => id}
        columns={auditColumns}
        empty={
          filters.changed > 0 ? (
            <Empty title="Nothing was changed on these days" />
          ) : (
            <Empty title="Nothing yet">
              <p>Changes that you and your colleagues make appear here.</p>
            </Empty>
          )
        }
      />
    </>
  );
}
