import { useState } from 'preact/hooks';
import { LinkForm } from '#lib/apps/dashboard/links/link-form.tsx';
import { PartnerChoice } from '#lib/apps/dashboard/parts/filters/partner-choice.tsx';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { ListPage } from '#lib/apps/web/lists/list-page.tsx';
import { useList } from '#lib/apps/web/lists/use-list.ts';
import { Dialog } from '#lib/apps/web/parts/forms/dialog.tsx';
import { LinkSwitch } from '#lib/apps/web/parts/forms/link-switch.tsx';
import { figures, furtherFigures } from '#lib/apps/dashboard/lists/columns.tsx';
import { csvOfRows } from '#lib/apps/dashboard/lists/csv.ts';
import { figureFilters, ofPartner } from '#lib/apps/dashboard/lists/filters.tsx';
import { PartnerLink, ShortLink } from '#lib/apps/dashboard/parts/page-links.tsx';
import { choice } from '#lib/apps/web/lists/filters.tsx';
import type { List } from '#lib/apps/web/lists/list.ts';
import { Badge } from '#lib/apps/web/parts/figures/badge.tsx';
import { Day } from '#lib/apps/web/parts/figures/time.tsx';
import { CopyButton } from '#lib/apps/web/parts/forms/copy-button.tsx';
import { Empty } from '#lib/apps/web/parts/table/empty.tsx';
import type { ReferralLink } from '#lib/wire/partners/partner.ts';

const statuses = [
  ['', 'All'],
  ['active', 'On'],
  ['inactive', 'Off'],
] as const;

export const linkList: List<ReferralLink> = {
  name: 'links',
  title: 'Links',
  keyOf: (link) => link.short_link,
  csv: csvOfRows,
  filters: [choice('status', 'Status', statuses), ofPartner, ...figureFilters],
  columns: [
    { title: 'Link', csv: ['short_link', 'url', 'destination_url'], cell: (link) => <NameAndAddress link={link} /> },
    {
      title: 'Partner',
      csv: ['partner_id', 'partner_name'],
      cell: ({ partner_id: id, partner_name: name }) =>
        id === null ? <span class="muted">Unlinked by the operator</span> : <PartnerLink id={id} name={name} />,
    },
    { csv: ['status'] },
    ...figures,
    {
      title: 'Last click',
      csv: ['last_clicked_at'],
      cell: ({ last_clicked_at: at }) => (at ? <Day at={at} /> : <span class="muted">None yet</span>),
    },
    furtherFigures,
  ],
  empty: (
    <Empty title="No links yet">
      <p>Add one for a partner. Its address is your site's, with the partner's name in it.</p>
    </Empty>
  ),
  noMatch: { title: 'No link matches these filters', showAll: 'Show all' },
};

function NameAndAddress({ link: { short_link: name, url, status } }: { readonly link: ReferralLink }) {
  return (
    <>
      <span class="link-line">
        <span class="strong">
          <ShortLink of={name} />
        </span>
        {status === 'inactive' && <Badge>Off</Badge>}
        <CopyButton text={url} what={`link ${name}`} />
      </span>
      <div class="muted link-url" title={url}>
        {url}
      </div>
    </>
  );
}

export function LinksPage() {
  const { api } = useSession();
  const { program, path } = useProgram();
  const [isAdding, setAdding] = useState(false);
  const list = useList(linkList, api, path);
  const { pages } = list;
  return (
    <>
      <ListPage
        of={list}
        programId={program.id}
        intro="A partner shares a link; a visitor who comes through it first stays that partner's customer."
        actions={
          <button type="button" class="button primary" onClick={() => setAdding(true)}>
            Add link
          </button>
        }
        rowActions={(link) => (
          <LinkSwitch
            api={api}
            path={path}
            link={link}
            // The reply's figures are of all time and not of the shown period, so only the status is taken from it.
            onChange={({ status: now }) =>
              pages.replace((one) => one.short_link === link.short_link, { ...link, status: now })
            }
          />
        )}
      />
      {isAdding && (
        <Dialog title="Add link" onClose={() => setAdding(false)}>
          <PartnerChoice what="a link">
            {(field) => (
              <LinkForm onClose={() => setAdding(false)} onAdded={pages.reload}>
                {field}
              </LinkForm>
            )}
          </PartnerChoice>
        </Dialog>
      )}
    </>
  );
}
