import { amountColumns, type CsvColumns } from '#lib/apps/dashboard/lists/csv.ts';
import type { ReferralLink } from '#lib/wire/partners/partner.ts';

export const linkCsv = (rows: readonly ReferralLink[]): CsvColumns<ReferralLink> => ({
  short_link: ({ short_link: name }) => name,
  url: ({ url }) => url,
  destination_url: ({ destination_url: url }) => url,
  partner_id: ({ partner_id: id }) => id,
  partner_name: ({ partner_name: name }) => name,
  status: ({ status }) => status,
  clicks: ({ clicks }) => clicks,
  leads: ({ leads }) => leads,
  sales: ({ sales }) => sales,
  ...amountColumns(['revenue_cents', 'commission_cents'], rows),
  last_clicked_at: ({ last_clicked_at: at }) => at,
  created_at: ({ created_at: at }) => at,
  repeat_clicks: ({ repeat_clicks: clicks }) => clicks,
  bot_clicks: ({ bot_clicks: clicks }) => clicks,
});
