import { countText } from '#lib/apps/web/format.ts';
import { Moneys } from '#lib/apps/web/parts/figures/money.tsx';
import type { Column } from '#lib/apps/web/parts/table/table.tsx';
import { Minute } from '#lib/apps/web/parts/figures/time.tsx';
import { PayoutStatusBadge } from '#lib/apps/dashboard/payouts/payout-status-badge.tsx';
import { programPath } from '#lib/apps/dashboard/static/page-paths.ts';
import type { ListedPayout } from '#lib/wire/earnings/payout.ts';

export const payoutColumns = (
  programId: number,
  recorderOf: (createdBy: string) => string,
): readonly Column<ListedPayout>[] => [
  { title: 'Payout', cell: ({ id }) => <a href={programPath('payout', programId, id)}>Payout {id}</a> },
  { title: 'Recorded', cell: ({ created_at: at }) => <Minute at={at} /> },
  { title: 'Status', cell: (payout) => <PayoutStatusBadge of={payout} /> },
  { title: 'Amount', isNumber: true, cell: ({ totals }) => <Moneys amounts={totals} /> },
  { title: 'Lines', isNumber: true, cell: ({ lines }) => countText(lines) },
  { title: 'Reference', cell: ({ reference }) => reference ?? <span class="muted">–</span> },
  { title: 'Recorded by', cell: ({ created_by: by }) => recorderOf(by) },
];
