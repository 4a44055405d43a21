import { loadAll } from '#lib/apps/web/api/load-all.ts';
import { useLoaded } from '#lib/apps/web/hooks/use-loaded.ts';
import { choice } from '#lib/apps/web/lists/filters.tsx';
import type { List } from '#lib/apps/web/lists/list.ts';
import { ListPage } from '#lib/apps/web/lists/list-page.tsx';
import { useList } from '#lib/apps/web/lists/use-list.ts';
import { Badge, type Tone } from '#lib/apps/web/parts/figures/badge.tsx';
import { Empty } from '#lib/apps/web/parts/table/empty.tsx';
import { Day, DayOfYear } from '#lib/apps/web/parts/figures/time.tsx';
import { useProgram } from '#lib/apps/portal/current-program.ts';
import { moneyColumns } from '#lib/apps/portal/parts/money-columns.tsx';
import type { PortalLink } from '#lib/wire/partners/partner.ts';
import type { PortalCustomer } from '#lib/wire/reports/portal-figures.ts';

const statuses: Readonly<Record<PortalCustomer['status'], { readonly tone: Tone; readonly text: string }>> = {
  click: { tone: 'plain', text: 'Clicked' },
  lead: { tone: 'waiting', text: 'Signed up' },
  conversion: { tone: 'good', text: 'Bought' },
};

/** Names a customer by the end of the id, which is enough to tell customers apart. */
const shortNameOf = (id: string): string => id.replaceAll(/[^A-Za-z0-9]/g, '').slice(-4);

const dayOrNone = (at: string | null) => (at ? <Day at={at} /> : <span class="muted">Not yet</span>);

/** Lists the partner's customers, without data that identify them. @param year the current year, which dates omit */
const customerList = (links: string, year: string, shortLinks: readonly string[]): List<PortalCustomer> => ({
  name: 'customers',
  title: 'Customers',
  keyOf: ({ id }) => id,
  filters: [
    choice('short_link', 'Link', [['', 'All links and codes'], ...shortLinks.map((link) => [link, link] as const)]),
  ],
  columns: [
    {
      title: 'Customer',
      cell: ({ id, email_masked: email, first_click_at: at }) => (
        <>
          {email && <div class="strong">{email}</div>}
          <span class={email ? 'muted' : 'strong'}>
            <span class="customer-name">Customer …{shortNameOf(id)},</span>{' '}
            <span class="customer-name">since {at.startsWith(year) ? <DayOfYear at={at} /> : <Day at={at} />}</span>
          </span>
        </>
      ),
    },
    {
      title: 'Status',
      cell: ({ status }) => <Badge tone={statuses[status].tone}>{statuses[status].text}</Badge>,
    },
    { title: 'Link', cell: ({ link }) => link ?? <span class="muted">By a code</span> },
    { title: 'Signed up', cell: ({ signup_at: at }) => dayOrNone(at) },
    { title: 'First payment', cell: ({ first_purchase_at: at }) => dayOrNone(at) },
    ...moneyColumns,
  ],
  empty: (
    <Empty title="No customers yet">
      <p>
        Whoever signs up or buys after a click on one of <a href={links}>your links</a> stands here.
      </p>
    </Empty>
  ),
  noMatch: { title: 'This link has brought no customers yet', showAll: 'Show all' },
});

export function CustomersPage() {
  const { api, path, addressOf } = useProgram();
  const links = useLoaded(() => loadAll<PortalLink>(api, `${path}/links`), [api, path]);
  const shortLinks = links.state === 'ready' ? links.value.map(({ short_link: link }) => link) : [];
  return (
    <ListPage
      of={useList(customerList(addressOf('links'), api.today().slice(0, 'YYYY'.length), shortLinks), api, path)}
      intro="Who signed up or bought through you. The brand keeps to itself who they are; each has a name of its own here that stays the same. Revenue includes what was refunded later, and commission what was rejected later."
    />
  );
}
