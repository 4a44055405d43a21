import { useState } from 'preact/hooks';
import { useProgram } from '#lib/apps/dashboard/current-program.ts';
import { usePages } from '#lib/apps/dashboard/hooks/use-pages.ts';
import { AddLink } from '#lib/apps/dashboard/links/add-link.tsx';
import { linkColumns } from '#lib/apps/dashboard/links/link-columns.tsx';
import { LinkStatusButton } from '#lib/apps/dashboard/links/link-status-button.tsx';
import { ChoiceFilter } from '#lib/apps/dashboard/parts/choice-filter.tsx';
import { Dialog } from '#lib/apps/dashboard/parts/dialog.tsx';
import { Empty } from '#lib/apps/dashboard/parts/empty.tsx';
import { Page } from '#lib/apps/dashboard/parts/page.tsx';
import { PagedTable } from '#lib/apps/dashboard/parts/paged-table.tsx';
import { useSession } from '#lib/apps/dashboard/session.ts';
import type { ReferralLink } from '#lib/wire/partner.ts';

const statuses = [
  ['', 'All'],
  ['active', 'On'],
  ['inactive', 'Off'],
] as const;

export function LinksPage() {
  const { api } = useSession();
  const { path } = useProgram();
  const [status, setStatus] = useState('');
  const [isAdding, setAdding] = useState(false);
  const pages = usePages<ReferralLink>(api, `${path}/links`, { status });
  const replace = (now: ReferralLink) => pages.replace(({ short_link: own }) => own === now.short_link, now);
  const add = (
    <button type="button" class="button primary" onClick={() => setAdding(true)}>
      Add link
    </button>
  );
  return (
    <Page
      title="Links"
      intro="A partner shares a link; whoever comes through it first stays that partner's customer."
      actions={add}
    >
      <div class="filters">
        <ChoiceFilter label="Status" value={status} onChange={setStatus} options={statuses} />
      </div>
      <PagedTable
        label="Links"
        pages={pages}
        keyOf={(link) => link.short_link}
        columns={[
          ...linkColumns,
          { title: 'Actions', isUntitled: true, cell: (link) => <LinkStatusButton link={link} onChange={replace} /> },
        ]}
        empty={
          status === '' ? (
            <Empty title="No links yet">
              <p>Add one for a partner. Its address is your site's, with the partner's name in it.</p>
            </Empty>
          ) : (
            <Empty title="No link has this status" />
          )
        }
      />
      {isAdding && (
        <Dialog title="Add link" onClose={() => setAdding(false)}>
          <AddLink onClose={() => setAdding(false)} onAdded={pages.reload} />
        </Dialog>
      )}
    </Page>
  );
}
