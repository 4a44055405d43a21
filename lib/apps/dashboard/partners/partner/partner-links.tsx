import { useState } from 'preact/hooks';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { usePages } from '#lib/apps/web/hooks/use-pages.ts';
import { linkList } from '#lib/apps/dashboard/pages/programs/links.tsx';
import { LinkForm } from '#lib/apps/dashboard/links/link-form.tsx';
import { tableColumns } from '#lib/apps/web/lists/list-page.tsx';
import { LinkSwitch } from '#lib/apps/web/parts/forms/link-switch.tsx';
import { Dialog } from '#lib/apps/web/parts/forms/dialog.tsx';
import { Empty } from '#lib/apps/web/parts/table/empty.tsx';
import { PagedTable } from '#lib/apps/web/parts/table/paged-table.tsx';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { programPath } from '#lib/apps/dashboard/static/page-paths.ts';
import type { ReferralLink } from '#lib/wire/partners/partner.ts';

interface PartnerLinksProps {
  readonly partnerId: string;
  /** False for a removed partner, who gets no new links. */
  readonly canAdd: boolean;
}

export function PartnerLinks({ partnerId, canAdd }: PartnerLinksProps) {
  const { api } = useSession();
  const { program, path } = useProgram();
  const [isAdding, setAdding] = useState(false);
  const pages = usePages<ReferralLink>(api, `${path}/links`, { partner_id: partnerId });
  const replace = (now: ReferralLink) => pages.replace(({ short_link: own }) => own === now.short_link, now);
  return (
    <section aria-labelledby="links">
      <div class="section-header">
        <h2 id="links">Links, all time</h2>
        <div class="page-actions">
          <a href={`${programPath('links', program.id)}?partner_id=${partnerId}`}>All links</a>
          {canAdd && (
            <button type="button" class="button" onClick={() => setAdding(true)}>
              Add link
            </button>
          )}
        </div>
      </div>
      <PagedTable
        label="Links"
        pages={pages}
        keyOf={linkList.keyOf}
        columns={[
          ...tableColumns(linkList, 'Partner'),
          {
            title: 'Actions',
            isUntitled: true,
            cell: (link) => <LinkSwitch api={api} path={path} link={link} onChange={replace} />,
          },
        ]}
        empty={
          <Empty title="No links yet">
            <p>Without a link, no one can come through this partner.</p>
          </Empty>
        }
      />
      {isAdding && (
        <Dialog title="Add link" onClose={() => setAdding(false)}>
          <LinkForm partnerId={Number(partnerId)} onClose={() => setAdding(false)} onAdded={pages.reload} />
        </Dialog>
      )}
    </section>
  );
}
