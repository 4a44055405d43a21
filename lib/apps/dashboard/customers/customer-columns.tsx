import { amountsOf, nameOf, statusText } from '#lib/apps/dashboard/customers/customer-texts.ts';
import { Badge } from '#lib/apps/web/parts/figures/badge.tsx';
import { Moneys } from '#lib/apps/web/parts/figures/money.tsx';
import { PartnerLink } from '#lib/apps/dashboard/parts/page-links.tsx';
import type { Column } from '#lib/apps/web/parts/table/table.tsx';
import { Day } from '#lib/apps/web/parts/figures/time.tsx';
import { programPath } from '#lib/apps/dashboard/static/page-paths.ts';
import type { Customer } from '#lib/wire/traffic/customer.ts';

const DayOrNone = ({ at }: { readonly at: string | null }) =>
  at === null ? <span class="muted">–</span> : <Day at={at} />;

export const customerColumns = (programId: number): readonly Column<Customer>[] => [
  {
    title: 'Customer',
    cell: (customer) => (
      <>
        <a class="identifier" title={nameOf(customer)} href={programPath('customer', programId, customer.click_id)}>
          {nameOf(customer)}
        </a>
        {customer.customer_key !== null && <div class="muted">{customer.email_masked}</div>}
      </>
    ),
  },
  { title: 'Status', cell: (customer) => <CustomerStatus customer={customer} /> },
  { title: 'Partner', cell: ({ partner_id: id, partner_name: name }) => <PartnerLink id={id} name={name} /> },
  {
    title: 'First seen',
    cell: ({ first_click_at: at, source }) => (
      <>
        <Day at={at} />
        {source === 'code' && <div class="muted">by a code</div>}
      </>
    ),
  },
  { title: 'Signed up', cell: ({ signup_at: at }) => <DayOrNone at={at} /> },
  { title: 'First purchase', cell: ({ first_purchase_at: at }) => <DayOrNone at={at} /> },
  { title: 'Revenue', isNumber: true, cell: (customer) => <Moneys amounts={amountsOf(customer, 'revenue_cents')} /> },
  {
    title: 'Commission',
    isNumber: true,
    cell: (customer) => <Moneys amounts={amountsOf(customer, 'commission_cents')} />,
  },
];

const tones = { click: 'plain', lead: 'waiting', conversion: 'good' } as const;

export const CustomerStatus = ({ customer }: { readonly customer: Customer }) => (
  <Badge tone={tones[customer.status]}>{statusText(customer)}</Badge>
);
