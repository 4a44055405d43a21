import type { CsvColumns } from '#lib/apps/dashboard/lists/csv.ts';
import type { TrackedEvent } from '#lib/wire/reports/event.ts';

/** Reads a field that only some types have, by its wire name. */
const only =
  (field: string) =>
  (event: TrackedEvent): string | number | undefined =>
    (event as unknown as Readonly<Record<string, string | number | undefined>>)[field];

/** One file for all types. Amounts of refunds are the amounts returned. */
export const eventCsv: CsvColumns<TrackedEvent> = {
  time: ({ created_at: at }) => at,
  type: ({ type }) => type,
  is_test: ({ is_test: isTest }) => isTest,
  partner_id: ({ partner_id: id }) => id,
  partner_name: ({ partner_name: name }) => name,
  customer_key: ({ customer_key: key }) => key,
  click_id: ({ click_id: id }) => id,
  short_link: only('short_link'),
  page_url: only('page_url'),
  email_masked: only('email_masked'),
  transaction_id: only('transaction_id'),
  amount_cents: only('amount_cents'),
  refunded_amount_cents: only('refunded_amount_cents'),
  currency: only('currency'),
  reason: only('reason'),
  code: only('code'),
  quality: only('quality'),
};
