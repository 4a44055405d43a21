import { auditColumns } from '#lib/apps/dashboard/audit/audit-columns.tsx';
import { useSession } from '#lib/apps/dashboard/session.ts';
import { usePages } from '#lib/apps/web/hooks/use-pages.ts';
import { Empty } from '#lib/apps/web/parts/empty.tsx';
import { Page } from '#lib/apps/web/parts/page.tsx';
import { PagedTable } from '#lib/apps/web/parts/paged-table.tsx';
import type { AuditEntry } from '#lib/wire/audit.ts';

/** Who changed what in the workspace. */
export function AuditPage() {
  const { api, workspace, isOwner } = useSession();
  return (
    <Page title="Audit list" intro={`Who changed what in ${workspace.name}, for two years, newest first.`}>
      {isOwner ? <Entries api={api} /> : <p class="muted">Only a workspace owner reads it.</p>}
    </Page>
  );
}

function Entries({ api }: Pick<ReturnType<typeof useSession>, 'api'>) {
  const pages = usePages<AuditEntry>(api, '/workspace/audit');
  return (
    <PagedTable
      label="Audit list"
      pages={pages}
      keyOf={({ id }) => id}
      columns={auditColumns}
      empty={
        <Empty title="Nothing yet">
          <p>Whatever you and your colleagues change from now on stands here.</p>
        </Empty>
      }
    />
  );
}
