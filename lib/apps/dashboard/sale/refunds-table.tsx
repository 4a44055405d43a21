import type { ComponentChildren } from 'preact';
import { SaleLink } from '#lib/apps/dashboard/parts/page-links.tsx';
import { Money } from '#lib/apps/web/parts/figures/money.tsx';
import { type Column, Table } from '#lib/apps/web/parts/table/table.tsx';
import { Time } from '#lib/apps/web/parts/figures/time.tsx';
import type { ShownRefund } from '#lib/apps/dashboard/sale/shown-refund.ts';

const reasonTexts = {
  refund: 'Refund',
  chargeback: 'Chargeback',
  dispute_won: 'Dispute won',
  correction: 'Correction',
  duplicate: 'Duplicate of another sale',
} as const;

const columns: readonly Column<ShownRefund>[] = [
  {
    title: 'What',
    cell: ({ reason, refund_reason: text }) => (
      <>
        {reasonTexts[reason]}
        {text && <div class="muted">{text}</div>}
      </>
    ),
  },
  { title: 'Recorded', cell: ({ at }) => <Time at={at} /> },
  {
    title: 'Amount',
    isNumber: true,
    cell: ({ amount_cents: cents, currency }) => <Money cents={cents} currency={currency} />,
  },
  {
    title: 'Off the commission',
    isNumber: true,
    cell: ({ deduction_cents: cents, commissionCurrency: currency }) =>
      currency === undefined ? <span class="muted">–</span> : <Money cents={cents} currency={currency} />,
  },
];

interface RefundsTableProps {
  readonly refunds: readonly ShownRefund[];
  /**
   * The program; set only if the refunds are of several sales. Each refund then links to its sale, for which the id of
   * the program is needed.
   */
  readonly programId?: number;
  /** A button or link about the refunds, shown with the table. */
  readonly action?: ComponentChildren;
}

/** Lists refunds of one or more sales. A dispute that the brand won, and a correction, may have a negative amount. */
export const RefundsTable = ({ refunds, programId, action }: RefundsTableProps) => (
  <section aria-labelledby="refunds">
    <div class="section-header">
      <h2 id="refunds">Refunds</h2>
      {action}
    </div>
    <div class="card table-card">
      <Table
        label="Refunds"
        rows={refunds}
        keyOf={({ id }) => id}
        columns={
          programId === undefined
            ? columns
            : columns.toSpliced(1, 0, {
                title: 'Sale',
                cell: ({ transaction_id: id }) => <SaleLink transactionId={id} programId={programId} />,
              })
        }
      />
    </div>
  </section>
);
