import { amountColumns, type CsvColumns } from '#lib/apps/dashboard/lists/csv.ts';
import type { Customer } from '#lib/wire/traffic/customer.ts';

export const customerCsv = (rows: readonly Customer[]): CsvColumns<Customer> => ({
  click_id: ({ click_id: id }) => id,
  customer_key: ({ customer_key: key }) => key,
  email_masked: ({ email_masked: email }) => email,
  status: ({ status }) => status,
  partner_id: ({ partner_id: id }) => id,
  partner_name: ({ partner_name: name }) => name,
  short_link: ({ short_link: link }) => link,
  code: ({ code }) => code,
  first_click_at: ({ first_click_at: at }) => at,
  signup_at: ({ signup_at: at }) => at,
  first_purchase_at: ({ first_purchase_at: at }) => at,
  ...amountColumns(['revenue_cents', 'refunded_cents', 'commission_cents'], rows),
});
