import { useState } from 'preact/hooks';
import { csvExport, csvName } from '#lib/apps/dashboard/lists/csv-export.ts';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { figureFilters } from '#lib/apps/dashboard/figures.ts';
import { useFilters } from '#lib/apps/web/hooks/use-filters.ts';
import { usePages } from '#lib/apps/web/hooks/use-pages.ts';
import { ChoiceFilter } from '#lib/apps/web/parts/table/choice-filter.tsx';
import { Dialog } from '#lib/apps/web/parts/forms/dialog.tsx';
import { Empty } from '#lib/apps/web/parts/table/empty.tsx';
import { ExportButton } from '#lib/apps/web/parts/table/export-button.tsx';
import { FigureFilters, SortedNote, sortingOf } from '#lib/apps/dashboard/parts/filters/figure-filters.tsx';
import { JoinAddress } from '#lib/apps/dashboard/parts/program/join-address.tsx';
import { FilterBar } from '#lib/apps/web/parts/table/filter-bar.tsx';
import { Page } from '#lib/apps/web/parts/frame/page.tsx';
import { PagedTable } from '#lib/apps/web/parts/table/paged-table.tsx';
import { AddPartner } from '#lib/apps/dashboard/partners/add-partner.tsx';
import { partnerColumns, partnerColumnsOfPeriod } from '#lib/apps/dashboard/partners/partner-columns.tsx';
import { isCandidate, partnerStatuses, queueChoices } from '#lib/apps/dashboard/partners/partner-status.tsx';
import { CandidateActions } from '#lib/apps/dashboard/partners/candidates/candidate-actions.tsx';
import { partnerCsv } from '#lib/apps/dashboard/partners/partner-csv.ts';
import { PartnerStatusButton } from '#lib/apps/dashboard/partners/partner-status-button.tsx';
import { ALL_TIME, periodOf } from '#lib/apps/web/period.ts';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import type { Partner } from '#lib/wire/partners/partner.ts';

const partnerFilters = { ...figureFilters, queued: '' } as const;

export function PartnersPage() {
  const { api } = useSession();
  const { program, path } = useProgram();
  const filters = useFilters(partnerFilters);
  const { status, queued, sort } = filters.values;
  const period = periodOf(filters.values, api.today());
  const query = { status, queued, sort, ...period };
  const [isAdding, setAdding] = useState(false);
  const pages = usePages<Partner>(api, `${path}/partners`, query);
  const isAllTime = filters.values.period === ALL_TIME;
  return (
    <Page
      title="Partners"
      intro={
        <>
          Who brings you customers, and what came of it.
          {program.join !== 'closed' && (
            <>
              {' '}
              People {program.join === 'open' ? 'join' : 'apply'} at <JoinAddress program={program} />
            </>
          )}
        </>
      }
      actions={
        <>
          <ExportButton
            fileName={csvName('partners', program.id, period)}
            make={csvExport(api, `${path}/partners`, query, partnerCsv)}
          />
          <button type="button" class="button primary" onClick={() => setAdding(true)}>
            Add partner
          </button>
        </>
      }
    >
      <FilterBar filters={filters}>
        <ChoiceFilter
          label="Status"
          value={status}
          onChange={(to) => filters.change({ status: to })}
          options={partnerStatuses}
        />
        {program.join !== 'closed' && (
          <ChoiceFilter
            label="Queue"
            value={queued}
            onChange={(to) => filters.change({ queued: to })}
            options={queueChoices}
          />
        )}
        <FigureFilters filters={filters} />
      </FilterBar>
      {queued === 'true' && (
        <p class="hint list-note">
          Ten applications a day from one network, or one domain of mail, are listed with all others. Further ones wait
          here: decide about them as about any other.
        </p>
      )}
      <SortedNote sortedOf={pages.sortedOf} what="partners" />
      <PagedTable
        label="Partners"
        pages={pages}
        keyOf={({ id }) => id}
        sorting={sortingOf(filters)}
        columns={[
          ...(isAllTime ? partnerColumns : partnerColumnsOfPeriod),
          {
            title: 'Actions',
            isUntitled: true,
            cell: (partner) => {
              const Actions = isCandidate(partner) ? CandidateActions : PartnerStatusButton;
              return (
                <Actions
                  partner={partner}
                  // Takes over only these fields, because the reply's figures are all-time ones.
                  onChange={({ status: now, application }) =>
                    pages.replace(({ id }) => id === partner.id, { ...partner, status: now, application })
                  }
                />
              );
            },
          },
        ]}
        empty={
          status === '' && queued === '' ? (
            <Empty title="No partners yet">
              <p>Add the first one. Each partner gets links; customers who come through them are theirs.</p>
            </Empty>
          ) : (
            <Empty title={queued === 'true' ? 'The queue is empty' : 'No partner has this status'} />
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
