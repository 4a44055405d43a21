import { useState } from 'preact/hooks';
import { csvExport, csvName } from '#lib/apps/dashboard/lists/csv-export.ts';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { figureFilters } from '#lib/apps/dashboard/figures.ts';
import { useFilters } from '#lib/apps/web/hooks/use-filters.ts';
import { usePages } from '#lib/apps/web/hooks/use-pages.ts';
import { LinkForm } from '#lib/apps/dashboard/links/link-form.tsx';
import { linkColumns } from '#lib/apps/dashboard/links/link-columns.tsx';
import { linkCsv } from '#lib/apps/dashboard/links/link-csv.ts';
import { LinkSwitch } from '#lib/apps/web/parts/forms/link-switch.tsx';
import { ChoiceFilter } from '#lib/apps/web/parts/table/choice-filter.tsx';
import { Dialog } from '#lib/apps/web/parts/forms/dialog.tsx';
import { Empty } from '#lib/apps/web/parts/table/empty.tsx';
import { ExportButton } from '#lib/apps/web/parts/table/export-button.tsx';
import { FigureFilters, SortedNote, sortingOf } from '#lib/apps/dashboard/parts/filters/figure-filters.tsx';
import { FilterBar } from '#lib/apps/web/parts/table/filter-bar.tsx';
import { Page } from '#lib/apps/web/parts/frame/page.tsx';
import { PagedTable } from '#lib/apps/web/parts/table/paged-table.tsx';
import { PartnerChoice } from '#lib/apps/dashboard/parts/filters/partner-choice.tsx';
import { PartnerFilter } from '#lib/apps/dashboard/parts/filters/partner-filter.tsx';
import { periodOf } from '#lib/apps/web/period.ts';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import type { ReferralLink } from '#lib/wire/partners/partner.ts';

const statuses = [
  ['', 'All'],
  ['active', 'On'],
  ['inactive', 'Off'],
] as const;

export function LinksPage() {
  const { api } = useSession();
  const { program, path } = useProgram();
  const filters = useFilters({ ...figureFilters, partner_id: '' });
  const { status, partner_id, sort } = filters.values;
  const period = periodOf(filters.values, api.today());
  const query = { status, partner_id, sort, ...period };
  const [isAdding, setAdding] = useState(false);
  const pages = usePages<ReferralLink>(api, `${path}/links`, query);
  return (
    <Page
      title="Links"
      intro="A partner shares a link; a visitor who comes through it first stays that partner's customer."
      actions={
        <>
          <ExportButton
            fileName={csvName('links', program.id, period)}
            make={csvExport(api, `${path}/links`, query, linkCsv)}
          />
          <button type="button" class="button primary" onClick={() => setAdding(true)}>
            Add link
          </button>
        </>
      }
    >
      <FilterBar filters={filters}>
        <ChoiceFilter
          label="Status"
          value={status}
          onChange={(to) => filters.change({ status: to })}
          options={statuses}
        />
        <PartnerFilter value={partner_id} onChange={(to) => filters.change({ partner_id: to })} />
        <FigureFilters filters={filters} />
      </FilterBar>
      <SortedNote sortedOf={pages.sortedOf} what="links" />
      <PagedTable
        label="Links"
        pages={pages}
        keyOf={(link) => link.short_link}
        sorting={sortingOf(filters)}
        columns={[
          ...linkColumns,
          {
            title: 'Actions',
            isUntitled: true,
            cell: (link) => (
              <LinkSwitch
                api={api}
                path={path}
                link={link}
                // Takes over only the status, because the reply's figures are all-time ones.
                onChange={({ status: now }) =>
                  pages.replace((one) => one.short_link === link.short_link, { ...link, status: now })
                }
              />
            ),
          },
        ]}
        empty={
          status === '' && partner_id === '' ? (
            <Empty title="No links yet">
              <p>Add one for a partner. Its address is your site's, with the partner's name in it.</p>
            </Empty>
          ) : (
            <Empty title="No link matches these filters">
              <button type="button" class="button" onClick={filters.reset}>
                Show all
              </button>
            </Empty>
          )
        }
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
    </Page>
  );
}
