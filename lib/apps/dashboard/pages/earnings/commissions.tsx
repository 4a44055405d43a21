import { useEffect } from 'preact/hooks';
import { BulkBar } from '#lib/apps/dashboard/commissions/bulk-bar.tsx';
import { CommissionDecision } from '#lib/apps/dashboard/commissions/commission-decision.tsx';
import { commissionList } from '#lib/apps/dashboard/commissions/commission-list.tsx';
import { sourceName } from '#lib/apps/dashboard/commissions/commission-source.tsx';
import { type DecidableStatus, isDecidable } from '#lib/apps/dashboard/commissions/decide-all.ts';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { sectionPath } from '#lib/apps/dashboard/settings/settings-pages.ts';
import { programPath } from '#lib/apps/dashboard/static/page-paths.ts';
import { useInstallation } from '#lib/apps/web/api/installation-context.ts';
import { ListPage } from '#lib/apps/web/lists/list-page.tsx';
import { useList } from '#lib/apps/web/lists/use-list.ts';
import { useSelection } from '#lib/apps/web/parts/table/selection.tsx';
import type { Commission } from '#lib/wire/earnings/commission.ts';

export function CommissionsPage() {
  const { api, isOwner } = useSession();
  const { program, path } = useProgram();
  const { currencies } = useInstallation();
  const list = useList(commissionList(program, currencies), api, path);
  const { filters, pages, query } = list;
  const { status } = filters.values;
  const decided: DecidableStatus = status !== undefined && isDecidable(status) ? status : 'pending';
  const selection = useSelection<Commission>({
    keyOf: list.list.keyOf,
    isSelectable: (commission) => commission.status === decided,
    labelOf: (commission) => `the commission of ${sourceName(commission)}`,
  });
  const shown = JSON.stringify(query);
  // When the rows change, the selection is cleared, because a person must see which rows are selected.
  useEffect(selection.clear, [shown]);
  const replace = (now: Commission) => pages.replace(({ id }) => id === now.id, now);
  return (
    <ListPage
      of={list}
      programId={program.id}
      intro={
        status === 'held' ? (
          <>
            {HELD} <a href={sectionPath(program.id, 'rules')}>The rules are in the settings</a>.
          </>
        ) : (
          introFor(program.hold_period_days, program.auto_approve)
        )
      }
      actions={
        isOwner ? (
          <a class="button primary" href={programPath('newPayout', program.id)}>
            Pay out
          </a>
        ) : (
          <p class="hint">A workspace owner pays out.</p>
        )
      }
      selection={selection}
      rowActions={(commission) => <CommissionDecision commission={commission} onChange={replace} />}
    >
      {(status === '' || status === decided) && (filters.changed > 0 || pages.items?.length !== 0) && (
        <BulkBar
          status={decided}
          open={(pages.items ?? []).filter(selection.isSelectable)}
          isEmpty={pages.items?.length === 0 && !pages.hasMore}
          selection={selection}
          filters={{ ...query, status: decided }}
          isFiltered={filters.changed > (status === '' ? 0 : 1)}
          onDecided={() => void pages.reload()}
        />
      )}
    </ListPage>
  );
}

const HELD =
  'A rule of the program held these. Until someone releases them, they are in no payout and in no figure. Their partners read that they are in review, but not why. After a release, the same rule does not hold further sales to that customer.';

const introFor = (holdDays: number, isAutomatic: boolean): string =>
  isAutomatic
    ? `A commission waits ${holdDays} days for refunds, then is approved by itself. Approve it earlier, or reject it.`
    : 'A commission waits until someone approves it. This program does not approve commissions automatically.';
