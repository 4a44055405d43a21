import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { ListPage } from '#lib/apps/web/lists/list-page.tsx';
import { useList } from '#lib/apps/web/lists/use-list.ts';
import { CustomerStatus } from '#lib/apps/dashboard/customers/customer-status.tsx';
import { nameOf, statusOptions } from '#lib/apps/dashboard/customers/customer-texts.ts';
import { amount, partner } from '#lib/apps/dashboard/lists/columns.tsx';
import { csvOfRows } from '#lib/apps/dashboard/lists/csv.ts';
import { ofPartner } from '#lib/apps/dashboard/lists/filters.tsx';
import { programPath } from '#lib/apps/dashboard/static/page-paths.ts';
import { choice } from '#lib/apps/web/lists/filters.tsx';
import type { List } from '#lib/apps/web/lists/list.ts';
import { Day } from '#lib/apps/web/parts/figures/time.tsx';
import { Empty } from '#lib/apps/web/parts/table/empty.tsx';
import type { Customer } from '#lib/wire/traffic/customer.ts';

/** The list of customers who signed up or paid, after a click or with a coupon code. */
export const customerList = (programId: number): List<Customer> => ({
  name: 'customers',
  title: 'Customers',
  keyOf: ({ click_id: clickId }) => clickId,
  csv: csvOfRows,
  filters: [choice('status', 'Status', statusOptions), ofPartner],
  columns: [
    {
      title: 'Customer',
      csv: ['click_id', 'customer_key', 'email_masked'],
      cell: (customer) => (
        <>
          <a class="identifier" title={nameOf(customer)} href={programPath('customer', programId, customer.click_id)}>
            {nameOf(customer)}
          </a>
          {customer.customer_key !== null && <div class="muted whole">{customer.email_masked}</div>}
        </>
      ),
    },
    { title: 'Status', csv: ['status'], cell: (customer) => <CustomerStatus customer={customer} /> },
    partner,
    { csv: ['short_link', 'code'] },
    {
      title: 'First seen',
      csv: ['first_click_at'],
      cell: ({ first_click_at: at, source }) => (
        <>
          <Day at={at} />
          {source === 'code' && <div class="muted">by a code</div>}
        </>
      ),
    },
    { title: 'Signed up', csv: ['signup_at'], cell: ({ signup_at: at }) => <DayOrNone at={at} /> },
    { title: 'First purchase', csv: ['first_purchase_at'], cell: ({ first_purchase_at: at }) => <DayOrNone at={at} /> },
    amount('Revenue', 'revenue_cents'),
    { amounts: 'refunded_cents' },
    amount('Commission', 'commission_cents'),
  ],
  empty: (
    <Empty title="No customers yet">
      <p>The first person who signs up or pays after clicking on a partner’s link appears here.</p>
    </Empty>
  ),
  noMatch: { title: 'No customer matches these filters', showAll: 'Show everyone' },
});

const DayOrNone = ({ at }: { readonly at: string | null }) =>
  at === null ? <span class="muted">–</span> : <Day at={at} />;

export function CustomersPage() {
  const { api } = useSession();
  const { program, path } = useProgram();
  return (
    <ListPage
      of={useList(customerList(program.id), api, path)}
      programId={program.id}
      intro="Everyone who signed up or paid after coming through a partner's link, or with a partner's code, newest first."
    />
  );
}
