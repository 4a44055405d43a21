import { CommissionStatusBadge } from '#lib/apps/dashboard/commissions/commission-status-badge.tsx';
import { SaleLink } from '#lib/apps/dashboard/events/event-columns.tsx';
import { dateText } from '#lib/apps/dashboard/format.ts';
import { Money } from '#lib/apps/dashboard/parts/money.tsx';
import type { Column } from '#lib/apps/dashboard/parts/table.tsx';
import { Day } from '#lib/apps/dashboard/parts/time.tsx';
import type { Commission } from '#lib/wire/commission.ts';

export const commissionColumns = (programId: number): readonly Column<Commission>[] => [
  { title: 'Sale', cell: ({ transaction_id: id }) => <SaleLink transactionId={id} programId={programId} /> },
  { title: 'Paid at', cell: ({ occurred_at: at }) => <Day at={at} /> },
  { title: 'Partner', cell: ({ partner_name: name, partner_id: id }) => name ?? `Partner ${id}` },
  {
    title: 'Sale amount',
    isNumber: true,
    // A fixed commission is in dollars whatever the sale was in; the fee is always in the sale's currency.
    cell: ({ base_amount_cents: cents, platform_fee: fee }) => <Money cents={cents} currency={fee.currency} />,
  },
  {
    title: 'Commission',
    isNumber: true,
    cell: ({ amount_cents: amount, payable_cents: payable, deducted_cents: deducted, currency }) => (
      <>
        <Money cents={payable} currency={currency} />
        {deducted > 0 && (
          <div class="muted">
            of <Money cents={amount} currency={currency} />
          </div>
        )}
      </>
    ),
  },
  {
    title: 'Status',
    cell: (commission) => (
      <>
        <CommissionStatusBadge commission={commission} />
        {commission.status === 'pending' && <div class="muted">on hold until {dateText(commission.hold_until)}</div>}
      </>
    ),
  },
];
