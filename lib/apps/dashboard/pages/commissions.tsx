import { useState } from 'preact/hooks';
import { commissionColumns } from '#lib/apps/dashboard/commissions/commission-columns.tsx';
import { CommissionDecision } from '#lib/apps/dashboard/commissions/commission-decision.tsx';
import { ExportButton } from '#lib/apps/dashboard/commissions/export-button.tsx';
import { PayOut } from '#lib/apps/dashboard/commissions/pay-out.tsx';
import { useProgram } from '#lib/apps/dashboard/current-program.ts';
import { usePages } from '#lib/apps/dashboard/hooks/use-pages.ts';
import { ChoiceFilter } from '#lib/apps/dashboard/parts/choice-filter.tsx';
import { Dialog } from '#lib/apps/dashboard/parts/dialog.tsx';
import { Empty } from '#lib/apps/dashboard/parts/empty.tsx';
import { Page } from '#lib/apps/dashboard/parts/page.tsx';
import { PagedTable } from '#lib/apps/dashboard/parts/paged-table.tsx';
import { useSession } from '#lib/apps/dashboard/session.ts';
import type { Commission } from '#lib/wire/commission.ts';

const statuses = [
  ['', 'All'],
  ['pending', 'Pending'],
  ['approved', 'Approved'],
  ['paid', 'Paid'],
  ['rejected', 'Rejected'],
  ['reversed', 'Reversed'],
] as const;

export function CommissionsPage() {
  const { api, isOwner } = useSession();
  const { program, path } = useProgram();
  const [status, setStatus] = useState('');
  const [isPaying, setPaying] = useState(false);
  const pages = usePages<Commission>(api, `${path}/commissions`, { status });
  const replace = (now: Commission) => pages.replace(({ id }) => id === now.id, now);
  return (
    <Page
      title="Commissions"
      intro={introFor(program.hold_period_days, program.auto_approve)}
      actions={
        <>
          <ExportButton status={status} />
          {isOwner && (
            <button type="button" class="button primary" onClick={() => setPaying(true)}>
              Pay out
            </button>
          )}
        </>
      }
    >
      <div class="filters">
        <ChoiceFilter label="Status" value={status} onChange={setStatus} options={statuses} />
        {!isOwner && <p class="hint">A workspace owner pays out.</p>}
      </div>
      <PagedTable
        label="Commissions"
        pages={pages}
        keyOf={({ id }) => id}
        columns={[
          ...commissionColumns(program.id),
          {
            title: 'Actions',
            isUntitled: true,
            cell: (commission) => <CommissionDecision commission={commission} onChange={replace} />,
          },
        ]}
        empty={
          <Empty title={status === '' ? 'No commissions yet' : 'No commission has this status'}>
            {status === '' && <p>The first sale that a partner brought creates one.</p>}
          </Empty>
        }
      />
      {isPaying && (
        <Dialog title="Pay out" onClose={() => setPaying(false)}>
          <PayOut onClose={() => setPaying(false)} onPaid={pages.reload} />
        </Dialog>
      )}
    </Page>
  );
}

const introFor = (holdDays: number, isAutomatic: boolean): string =>
  isAutomatic
    ? `A commission waits ${holdDays} days for refunds, then is approved by itself. Approve it earlier, or reject it.`
    : 'A commission waits until somebody approves it. This program does not approve by itself.';
