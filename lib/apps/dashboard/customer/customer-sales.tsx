import { CommissionStatusBadge } from '#lib/apps/dashboard/commissions/commission-status-badge.tsx';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { SaleLink } from '#lib/apps/dashboard/parts/page-links.tsx';
import { Badge } from '#lib/apps/web/parts/figures/badge.tsx';
import { Money } from '#lib/apps/web/parts/figures/money.tsx';
import { RefundsTable } from '#lib/apps/dashboard/sale/refunds-table.tsx';
import { type Column, Table } from '#lib/apps/web/parts/table/table.tsx';
import { Day } from '#lib/apps/web/parts/figures/time.tsx';
import { salesOf, type SaleOfCustomer, shownRefundsOf } from '#lib/apps/dashboard/customer/sales-of-customer.ts';
import type { CustomerHistory } from '#lib/wire/traffic/customer-history.ts';

/** Maximum number of sales that the service returns: the newest ones. */
const MOST_SALES = 50;

/** Lists the sales of a customer, with their commissions and refunds. */
export function CustomerSales({ story }: { readonly story: CustomerHistory }) {
  const { program } = useProgram();
  const refunds = shownRefundsOf(story);
  if (story.sales.length === 0) return null;
  return (
    <>
      <section aria-labelledby="sales">
        <div class="section-header">
          <h2 id="sales">Sales</h2>
        </div>
        <div class="card table-card">
          <Table label="Sales" rows={salesOf(story)} keyOf={({ sale }) => sale.id} columns={columns(program.id)} />
          {story.sales.length >= MOST_SALES && (
            <p class="hint table-note">The newest {MOST_SALES}. Older ones are among the events.</p>
          )}
        </div>
      </section>
      {refunds.length > 0 && <RefundsTable refunds={refunds} programId={program.id} />}
    </>
  );
}

const columns = (programId: number): readonly Column<SaleOfCustomer>[] => [
  {
    title: 'Sale',
    cell: ({ sale }) => (
      <>
        <SaleLink transactionId={sale.transaction_id} programId={programId} /> {sale.is_test && <Badge>Test</Badge>}
      </>
    ),
  },
  { title: 'Payment date', cell: ({ sale }) => <Day at={sale.occurred_at} /> },
  {
    title: 'Amount',
    isNumber: true,
    cell: ({ sale: { amount_cents: cents, tax_cents: tax, refunded_amount_cents: refunded, currency } }) => (
      <>
        <Money cents={cents} currency={currency} />
        {tax !== null && (
          <div class="muted">
            <Money cents={tax} currency={currency} /> tax
          </div>
        )}
        {refunded > 0 && (
          <div class="muted">
            <Money cents={refunded} currency={currency} /> refunded
          </div>
        )}
      </>
    ),
  },
  {
    title: 'Commission',
    isNumber: true,
    cell: ({ commission }) =>
      commission ? (
        <Money cents={commission.payable_cents} currency={commission.currency} />
      ) : (
        <span class="muted">None</span>
      ),
  },
  {
    title: 'Commission status',
    cell: ({ commission }) =>
      commission ? <CommissionStatusBadge commission={commission} /> : <span class="muted">–</span>,
  },
];
