import { useState } from 'preact/hooks';
import { AddPartner } from '#lib/apps/dashboard/partners/add-partner.tsx';
import { CandidateActions } from '#lib/apps/dashboard/partners/candidates/candidate-actions.tsx';
import { isCandidate } from '#lib/apps/dashboard/partners/partner-status.tsx';
import { PartnerStatusButton } from '#lib/apps/dashboard/partners/partner-status-button.tsx';
import { JoinAddress } from '#lib/apps/dashboard/parts/program/join-address.tsx';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { ListPage } from '#lib/apps/web/lists/list-page.tsx';
import { useList } from '#lib/apps/web/lists/use-list.ts';
import { Dialog } from '#lib/apps/web/parts/forms/dialog.tsx';
import { ALL_TIME } from '#lib/apps/web/period.ts';
import { amount, figures, furtherFigures } from '#lib/apps/dashboard/lists/columns.tsx';
import { csvOfRows } from '#lib/apps/dashboard/lists/csv.ts';
import { figureFilters } from '#lib/apps/dashboard/lists/filters.tsx';
import { partnerStatuses, PartnerStatusOf, queueChoices } from '#lib/apps/dashboard/partners/partner-status.tsx';
import { PartnerLink } from '#lib/apps/dashboard/parts/page-links.tsx';
import { choice } from '#lib/apps/web/lists/filters.tsx';
import type { List } from '#lib/apps/web/lists/list.ts';
import { Badge } from '#lib/apps/web/parts/figures/badge.tsx';
import { Initials } from '#lib/apps/web/parts/figures/initials.tsx';
import { Empty } from '#lib/apps/web/parts/table/empty.tsx';
import type { Partner } from '#lib/wire/partners/partner.ts';

const queue = choice('queued', 'Queue', queueChoices);

/** The list of a program's partners. @param hasQueue whether people may apply, so that applications may be waiting */
export const partnerList = (hasQueue: boolean): List<Partner> => ({
  name: 'partners',
  title: 'Partners',
  keyOf: ({ id }) => id,
  csv: csvOfRows,
  filters: [
    choice('status', 'Status', partnerStatuses),
    hasQueue ? queue : { ...queue, field: () => null },
    ...figureFilters,
  ],
  columns: [
    {
      title: 'Partner',
      csv: {
        partner_id: ({ id }) => id,
        name: ({ name }) => name,
        email: ({ email }) => email,
        status: ({ status }) => status,
        links: ({ links }) => links.join(' '),
      },
      cell: (partner) => (
        <div class="person">
          <Initials of={partner.name} />
          <div>
            <span class="strong">
              <PartnerLink id={partner.id} name={partner.name} />
            </span>{' '}
            {partner.status !== 'active' && <PartnerStatusOf partner={partner} />}{' '}
            {partner.mail !== 'ok' && <Badge tone="waiting">No mails</Badge>}
            <div class="muted">{partner.email}</div>
            {partner.promised_code !== null && <div class="muted">Promised code {partner.promised_code}</div>}
          </div>
        </div>
      ),
    },
    ...figures,
    amount('In payouts', 'paid_out_cents'),
    furtherFigures,
  ],
  empty: (
    <Empty title="No partners yet">
      <p>Add the first one. Each partner gets links; customers who come through them are theirs.</p>
    </Empty>
  ),
  noMatch: {
    title: ({ values: { queued } }) => (queued === 'true' ? 'The queue is empty' : 'No partner has this status'),
    showAll: 'Show all',
  },
});

export function PartnersPage() {
  const { api } = useSession();
  const { program, path } = useProgram();
  const [isAdding, setAdding] = useState(false);
  const list = useList(partnerList(program.join !== 'closed'), api, path);
  const { pages, filters } = list;
  return (
    <>
      <ListPage
        of={list}
        programId={program.id}
        // The figures of a period do not include the paid amount.
        without={filters.values.period === ALL_TIME ? undefined : 'In payouts'}
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
          <button type="button" class="button primary" onClick={() => setAdding(true)}>
            Add partner
          </button>
        }
        rowActions={(partner) => {
          const Actions = isCandidate(partner) ? CandidateActions : PartnerStatusButton;
          return (
            <Actions
              partner={partner}
              // The reply's figures are of all time and not of the shown period, so only these fields are used.
              onChange={({ status, application }) =>
                pages.replace(({ id }) => id === partner.id, { ...partner, status, application })
              }
            />
          );
        }}
      >
        {filters.values.queued === 'true' && (
          <p class="hint list-note">
            Ten applications a day from one network, or one domain of mail, are listed with all others. Further ones
            wait here: decide about them as about any other.
          </p>
        )}
      </ListPage>
      {isAdding && (
        <Dialog title="Add partner" onClose={() => setAdding(false)}>
          <AddPartner onClose={() => setAdding(false)} onAdded={pages.reload} />
        </Dialog>
      )}
    </>
  );
}
