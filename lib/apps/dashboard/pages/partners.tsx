import { useState } from 'preact/hooks';
import { useProgram } from '#lib/apps/dashboard/current-program.ts';
import { usePages } from '#lib/apps/dashboard/hooks/use-pages.ts';
import { Dialog } from '#lib/apps/dashboard/parts/dialog.tsx';
import { Empty } from '#lib/apps/dashboard/parts/empty.tsx';
import { Page } from '#lib/apps/dashboard/parts/page.tsx';
import { PagedTable } from '#lib/apps/dashboard/parts/paged-table.tsx';
import { ChoiceFilter } from '#lib/apps/dashboard/parts/choice-filter.tsx';
import { AddPartner } from '#lib/apps/dashboard/partners/add-partner.tsx';
import { partnerColumns } from '#lib/apps/dashboard/partners/partner-columns.tsx';
import { PartnerStatusButton } from '#lib/apps/dashboard/partners/partner-status-button.tsx';
import { useSession } from '#lib/apps/dashboard/session.ts';
import type { Partner } from '#lib/wire/partner.ts';

const statuses = [
  ['', 'All'],
  ['active', 'Active'],
  ['removed', 'Removed'],
] as const;

export function PartnersPage() {
  const { api } = useSession();
  const { path } = useProgram();
  const [status, setStatus] = useState('');
  const [isAdding, setAdding] = useState(false);
  const pages = usePages<Partner>(api, `${path}/partners`, { status });
  const add = (
    <button type="button" class="button primary" onClick={() => setAdding(true)}>
      Add partner
    </button>
  );
  return (
    <Page
      title="Partners"
      intro="Who brings you customers, and what came of it. Numbers are of all time."
      actions={add}
    >
      <div class="filters">
        <ChoiceFilter label="Status" value={status} onChange={setStatus} options={statuses} />
      </div>
      <PagedTable
        label="Partners"
        pages={pages}
        keyOf={({ id }) => id}
        columns={[
          ...partnerColumns,
          {
            title: 'Actions',
            isUntitled: true,
            cell: (partner) => (
              <PartnerStatusButton
                partner={partner}
                onChange={(now) => pages.replace(({ id }) => id === now.id, now)}
              />
            ),
          },
        ]}
        empty={
          status === '' ? (
            <Empty title="No partners yet">
              <p>Add the first one. Each partner gets links; whoever comes through them is theirs.</p>
            </Empty>
          ) : (
            <Empty title="No partner has this status" />
          )
        }
      />
      {isAdding && (
        <Dialog title="Add partner" onClose={() => setAdding(false)}>
          <AddPartner onClose={() => setAdding(false)} onAdded={pages.reload} />
        </Dialog>
      )}
    </Page>
  );
}
