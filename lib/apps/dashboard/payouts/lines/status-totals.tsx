import { LineStatusBadge } from '#lib/apps/dashboard/payouts/lines/line-status-badge.tsx';
import { lineStatuses } from '#lib/apps/dashboard/payouts/lines/line-changes.ts';
import { countText } from '#lib/apps/web/format.ts';
import { Moneys } from '#lib/apps/web/parts/figures/money.tsx';
import { Table } from '#lib/apps/web/parts/table/table.tsx';
import type { Payout } from '#lib/wire/earnings/payout.ts';

/** Shows for each status how many of the payout's lines have it, and their sums. */
export function StatusTotals({ payout: { by_status: by } }: { readonly payout: Pick<Payout, 'by_status'> }) {
  return (
    <Table
      label="Totals by status"
      rows={lineStatuses.filter((status) => by[status].lines > 0)}
      keyOf={(status) => status}
      columns={[
        { title: 'Status', cell: (status) => <LineStatusBadge status={status} /> },
        { title: 'Lines', isNumber: true, cell: (status) => countText(by[status].lines) },
        { title: 'Amount', isNumber: true, cell: (status) => <Moneys amounts={by[status].totals} /> },
      ]}
    />
  );
}
