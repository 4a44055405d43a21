import { amountsOf } from '#lib/apps/dashboard/figures.ts';
import { countText } from '#lib/apps/web/format.ts';
import { Badge } from '#lib/apps/web/parts/figures/badge.tsx';
import { Moneys } from '#lib/apps/web/parts/figures/money.tsx';
import { PartnerStatusOf } from '#lib/apps/dashboard/partners/partner-status.tsx';
import { Clicks } from '#lib/apps/dashboard/parts/clicks.tsx';
import { PartnerLink } from '#lib/apps/dashboard/parts/page-links.tsx';
import type { Column } from '#lib/apps/web/parts/table/table.tsx';
import type { Partner } from '#lib/wire/partners/partner.ts';

/** A partner's identity and its figures in a period. */
export const partnerColumnsOfPeriod: readonly Column<Partner>[] = [
  {
    title: 'Partner',
    cell: (partner) => (
      <>
        <span class="strong">
          <PartnerLink id={partner.id} name={partner.name} />
        </span>{' '}
        {partner.status !== 'active' && <PartnerStatusOf partner={partner} />}{' '}
        {partner.mail !== 'ok' && <Badge tone="waiting">No mails</Badge>}
        <div class="muted">{partner.email}</div>
      </>
    ),
  },
  { title: 'Clicks', isNumber: true, sort: 'clicks', cell: (counts) => <Clicks of={counts} /> },
  { title: 'Leads', isNumber: true, sort: 'leads', cell: ({ leads }) => countText(leads) },
  { title: 'Sales', isNumber: true, sort: 'sales', cell: ({ sales }) => countText(sales) },
  {
    title: 'Revenue',
    isNumber: true,
    sort: 'revenue',
    cell: (partner) => <Moneys amounts={amountsOf(partner, 'revenue_cents')} />,
  },
  {
    title: 'Commission',
    isNumber: true,
    sort: 'commission',
    cell: (partner) => <Moneys amounts={amountsOf(partner, 'commission_cents')} />,
  },
];

/** The columns of the report, with all-time figures, and the amount paid. */
export const partnerColumns: readonly Column<Partner>[] = [
  ...partnerColumnsOfPeriod,
  { title: 'Paid out', isNumber: true, cell: (partner) => <Moneys amounts={amountsOf(partner, 'paid_out_cents')} /> },
];
