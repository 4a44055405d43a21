import { countText } from '#lib/apps/dashboard/format.ts';
import { Badge } from '#lib/apps/dashboard/parts/badge.tsx';
import { Moneys } from '#lib/apps/dashboard/parts/money.tsx';
import type { Column } from '#lib/apps/dashboard/parts/table.tsx';
import type { Partner, PartnerAmounts } from '#lib/wire/partner.ts';

const amountsOf = ({ amounts }: Partner, amount: keyof PartnerAmounts): Record<string, number> =>
  Object.fromEntries(Object.entries(amounts).map(([currency, of]) => [currency, of[amount] ?? 0]));

/** Who a partner is, and what came through them. */
export const partnerColumns: readonly Column<Partner>[] = [
  {
    title: 'Partner',
    cell: ({ name, email, status }) => (
      <>
        <span class="strong">{name}</span> {status === 'removed' && <Badge tone="bad">Removed</Badge>}
        <div class="muted">{email}</div>
      </>
    ),
  },
  { title: 'Clicks', isNumber: true, cell: ({ clicks }) => countText(clicks) },
  { title: 'Leads', isNumber: true, cell: ({ leads }) => countText(leads) },
  { title: 'Sales', isNumber: true, cell: ({ sales }) => countText(sales) },
  { title: 'Revenue', isNumber: true, cell: (partner) => <Moneys amounts={amountsOf(partner, 'revenue_cents')} /> },
  {
    title: 'Commission',
    isNumber: true,
    cell: (partner) => <Moneys amounts={amountsOf(partner, 'commission_cents')} />,
  },
  { title: 'Paid out', isNumber: true, cell: (partner) => <Moneys amounts={amountsOf(partner, 'paid_out_cents')} /> },
];
