import { CommissionSource } from '#lib/apps/dashboard/commissions/commission-source.tsx';
import { Flags } from '#lib/apps/dashboard/commissions/flags.tsx';
import { CommissionStatusBadge, payoutOf } from '#lib/apps/dashboard/commissions/commission-status-badge.tsx';
import { currencyOptions } from '#lib/apps/dashboard/program/currencies.ts';
import { Money } from '#lib/apps/web/parts/figures/money.tsx';
import { partner } from '#lib/apps/dashboard/lists/columns.tsx';
import { ofPartner } from '#lib/apps/dashboard/lists/filters.tsx';
import { check, choice, period } from '#lib/apps/web/lists/filters.tsx';
import { csvOfService, type List } from '#lib/apps/web/lists/list.ts';
import { Empty } from '#lib/apps/web/parts/table/empty.tsx';
import { Day } from '#lib/apps/web/parts/figures/time.tsx';
import type { Commission, SaleCommission } from '#lib/wire/earnings/commission.ts';
import type { Program } from '#lib/wire/programs/program.ts';

type Listing = Pick<Program, 'id' | 'commission_base'>;

const statuses = [
  ['', 'All'],
  ['held', 'Held for review'],
  ['pending', 'Pending'],
  ['approved', 'Approved'],
  ['paid', 'In a payout'],
  ['rejected', 'Rejected'],
  ['reversed', 'Reversed'],
] as const;

/** The list of a program's commissions. @param currencies of the installation, among which a filter selects */
export const commissionList = (
  { id: programId, commission_base: base }: Listing,
  currencies: readonly string[] = [],
): List<Commission> => ({
  name: 'commissions',
  title: 'Commissions',
  keyOf: ({ id }) => id,
  csv: csvOfService,
  filters: [
    choice('status', 'Status', statuses),
    ofPartner,
    choice('currency', 'Currency', [['', 'All'], ...currencyOptions(currencies)]),
    period,
    check('flagged', 'Flagged by a rule'),
  ],
  columns: [
    { title: 'For', cell: (commission) => <CommissionSource commission={commission} programId={programId} /> },
    { title: 'Date', cell: ({ occurred_at: at }) => <Day at={at} /> },
    partner,
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
          {commission.payout_id !== null && <div class="muted">in {payoutOf(commission)}</div>}
          {commission.status === 'pending' && (
            <div class="muted">
              {commission.by_hand ? (
                'reopened: only a person approves it'
              ) : (
                <>
                  on hold until <Day at={commission.hold_until} />
                </>
              )}
            </div>
          )}
          <Flags of={commission} />
        </>
      ),
    },
  ],
  empty: (
    <Empty title="No commissions yet">
      <p>The first sale that a partner brought creates one.</p>
    </Empty>
  ),
  noMatch: {
    title: ({ values: { status }, changed }) =>
      status === 'held' && changed === 1 ? 'Nothing is held for review' : 'No commission matches these filters',
    showAll: 'Show all',
  },
});

interface BaseAmountProps {
  readonly commission: SaleCommission;
}

/**
 * Shows the amount from which a commission was computed, and the platform's fee. Both are in the sale's currency; a
 * fixed commission is in the program's.
 */
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
