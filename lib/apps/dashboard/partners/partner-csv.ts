import { amountColumns, type CsvColumns } from '#lib/apps/dashboard/lists/csv.ts';
import type { Partner } from '#lib/wire/partners/partner.ts';

export const partnerCsv = (rows: readonly Partner[]): CsvColumns<Partner> => ({
  partner_id: ({ id }) => id,
  name: ({ name }) => name,
  email: ({ email }) => email,
  status: ({ status }) => status,
  links: ({ links }) => links.join(' '),
  clicks: ({ clicks }) => clicks,
  leads: ({ leads }) => leads,
  sales: ({ sales }) => sales,
  // Figures of a period do not include the paid amount.
  ...amountColumns(['revenue_cents', 'commission_cents', 'paid_out_cents'], rows),
  created_at: ({ created_at: at }) => at,
  repeat_clicks: ({ repeat_clicks: clicks }) => clicks,
  bot_clicks: ({ bot_clicks: clicks }) => clicks,
});
