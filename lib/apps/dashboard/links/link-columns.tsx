import { amountsOf } from '#lib/apps/dashboard/figures.ts';
import { countText } from '#lib/apps/web/format.ts';
import { Badge } from '#lib/apps/web/parts/figures/badge.tsx';
import { CopyButton } from '#lib/apps/web/parts/forms/copy-button.tsx';
import { Moneys } from '#lib/apps/web/parts/figures/money.tsx';
import { Clicks } from '#lib/apps/dashboard/parts/clicks.tsx';
import { PartnerLink, ShortLink } from '#lib/apps/dashboard/parts/page-links.tsx';
import type { Column } from '#lib/apps/web/parts/table/table.tsx';
import { Day } from '#lib/apps/web/parts/figures/time.tsx';
import type { ReferralLink } from '#lib/wire/partners/partner.ts';

export const linkColumns: readonly Column<ReferralLink>[] = [
  { title: 'Link', cell: (link) => <NameAndAddress link={link} /> },
  {
    title: 'Partner',
    cell: ({ partner_id: id, partner_name: name }) =>
      id === null ? <span class="muted">Unlinked by the operator</span> : <PartnerLink id={id} name={name} />,
  },
  { title: 'Clicks', isNumber: true, sort: 'clicks', cell: (counts) => <Clicks of={counts} /> },
  { title: 'Leads', isNumber: true, sort: 'leads', cell: ({ leads }) => countText(leads) },
  { title: 'Sales', isNumber: true, sort: 'sales', cell: ({ sales }) => countText(sales) },
  {
    title: 'Revenue',
    isNumber: true,
    sort: 'revenue',
    cell: (link) => <Moneys amounts={amountsOf(link, 'revenue_cents')} />,
  },
  {
    title: 'Commission',
    isNumber: true,
    sort: 'commission',
    cell: (link) => <Moneys amounts={amountsOf(link, 'commission_cents')} />,
  },
  {
    title: 'Last click',
    cell: ({ last_clicked_at: at }) => (at ? <Day at={at} /> : <span class="muted">None yet</span>),
  },
];

function NameAndAddress({ link: { short_link: name, url, status } }: { readonly link: ReferralLink }) {
  return (
    <>
      <span class="link-line">
        <span class="strong">
          <ShortLink of={name} />
        </span>
        {status === 'inactive' && <Badge>Off</Badge>}
        <CopyButton text={url} what={`link ${name}`} />
      </span>
      <div class="muted link-url" title={url}>
        {url}
      </div>
    </>
  );
}
