// Columns that several lists have. Each also says what the CSV file contains.

import { amountsOf, type WithAmounts } from '#lib/apps/dashboard/figures.ts';
import { Clicks } from '#lib/apps/dashboard/parts/clicks.tsx';
import { PartnerLink } from '#lib/apps/dashboard/parts/page-links.tsx';
import { countText } from '#lib/apps/web/format.ts';
import type { ListColumn } from '#lib/apps/web/lists/list.ts';
import { Moneys } from '#lib/apps/web/parts/figures/money.tsx';
import type { ReferralLink } from '#lib/wire/partners/partner.ts';
import type { Counts } from '#lib/wire/reports/performance.ts';
import type { Customer } from '#lib/wire/traffic/customer.ts';

export const partner = {
  title: 'Partner',
  csv: ['partner_id', 'partner_name'],
  cell: ({ partner_id: id, partner_name: name }) => <PartnerLink id={id} name={name} />,
} as const satisfies ListColumn<Pick<Customer, 'partner_id' | 'partner_name'>>;

/** A column with one kind of amount, in each currency. @param sort the API's name for sorting by it */
export const amount = <Kind extends string>(title: string, kind: Kind, sort?: string) => ({
  title,
  isNumber: true,
  sort,
  amounts: kind,
  cell: (row: WithAmounts<Kind>) => <Moneys amounts={amountsOf(row, kind)} />,
});

type Figures = Pick<ReferralLink, keyof Counts | 'amounts' | 'created_at'>;

/** Columns with the figures that partners and links have. */
export const figures: readonly ListColumn<Figures>[] = [
  { title: 'Clicks', isNumber: true, sort: 'clicks', csv: ['clicks'], cell: (counts) => <Clicks of={counts} /> },
  { title: 'Leads', isNumber: true, sort: 'leads', csv: ['leads'], cell: ({ leads }) => countText(leads) },
  { title: 'Sales', isNumber: true, sort: 'sales', csv: ['sales'], cell: ({ sales }) => countText(sales) },
  amount('Revenue', 'revenue_cents', 'revenue'),
  amount('Commission', 'commission_cents', 'commission'),
];

/** Figures that are only in CSV files, after the other columns. */
export const furtherFigures: ListColumn<Figures> = { csv: ['created_at', 'repeat_clicks', 'bot_clicks'] };
