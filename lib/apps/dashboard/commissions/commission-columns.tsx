import { CommissionSource } from '#lib/apps/dashboard/commissions/commission-source.tsx';
import { Flags } from '#lib/apps/dashboard/commissions/flags.tsx';
import { CommissionStatusBadge } from '#lib/apps/dashboard/commissions/commission-status-badge.tsx';
import { Money } from '#lib/apps/web/parts/figures/money.tsx';
import { PartnerLink } from '#lib/apps/dashboard/parts/page-links.tsx';
import type { Column } from '#lib/apps/web/parts/table/table.tsx';
import { Day } from '#lib/apps/web/parts/figures/time.tsx';
import type { Commission, SaleCommission } from '#lib/wire/earnings/commission.ts';
import type { Program } from '#lib/wire/programs/program.ts';

type Listing = Pick<Program, 'id' | 'commission_base'>;

export const commissionColumns = ({ id: programId, commission_base: base }: Listing): readonly Column<Commission>[] => [
  { title: 'For', cell: (commission) => <CommissionSource commission={commission} programId={programId} /> },
  { title: 'Date', cell: ({ occurred_at: at }) => <Day at={at} /> },
  { title: 'Partner', cell: ({ partner_name: name, partner_id: id }) => <PartnerLink id={id} name={name} /> },
  {
    title: base === 'gross' ? 'Sale amount' : 'Commission base',
    isNumber: true,
    cell: (commission) => (commission.kind === 'sale' ? <BaseAmount commission={commission} /> : '–'),
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
        {commission.status === 'pending' && (
          <div class="muted">
            on hold until <Day at={commission.hold_until} />
          </div>
        )}
        <Flags of={commission} />
      </>
    ),
  },
];

interface BaseAmountProps {
  readonly commission: SaleCommission;
}

/** A fixed commission is in dollars regardless of the sale's currency; the fee is always in the sale's currency. */
function BaseAmount({ commission: { base_amount_cents: amount, platform_fee: fee } }: BaseAmountProps) {
  const cents = fee.amount_cents - fee.reduced_cents;
  return (
    <>
      <Money cents={amount} currency={fee.currency} />
      {fee.bps > 0 && (
        <div class="muted" title={`The platform's fee: ${fee.bps / 100}% of the sale amount, less what was refunded.`}>
          fee <Money cents={cents} currency={fee.currency} />
        </div>
      )}
    </>
  );
}
