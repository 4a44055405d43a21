import { countText } from '#lib/apps/dashboard/format.ts';
import { Badge } from '#lib/apps/dashboard/parts/badge.tsx';
import { CopyButton } from '#lib/apps/dashboard/parts/copy-button.tsx';
import type { Column } from '#lib/apps/dashboard/parts/table.tsx';
import { Time } from '#lib/apps/dashboard/parts/time.tsx';
import type { ReferralLink } from '#lib/wire/partner.ts';

export const linkColumns: readonly Column<ReferralLink>[] = [
  {
    title: 'Link',
    cell: ({ short_link: shortLink, url }) => (
      <>
        <span class="link-line">
          <span class="strong">{shortLink}</span>
          <CopyButton text={url} what={`link ${shortLink}`} />
        </span>
        <div class="muted link-url">{url}</div>
      </>
    ),
  },
  { title: 'Partner', cell: ({ partner_name: name }) => name ?? <span class="muted">Unlinked by the operator</span> },
  {
    title: 'Status',
    cell: ({ status }) => (status === 'active' ? <Badge tone="good">On</Badge> : <Badge>Off</Badge>),
  },
  { title: 'Clicks', isNumber: true, cell: ({ clicks }) => countText(clicks) },
  { title: 'Leads', isNumber: true, cell: ({ leads }) => countText(leads) },
  { title: 'Sales', isNumber: true, cell: ({ sales }) => countText(sales) },
  {
    title: 'Last click',
    cell: ({ last_clicked_at: at }) => (at ? <Time at={at} /> : <span class="muted">None yet</span>),
  },
];
