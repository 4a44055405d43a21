import type { Option } from '#lib/apps/web/parts/forms/option.ts';
import type { Customer } from '#lib/wire/traffic/customer.ts';

export const statusOptions: readonly Option[] = [
  ['', 'All'],
  ['click', 'Provisional lead'],
  ['lead', 'Lead'],
  ['conversion', 'Paying'],
];

/** Describes a customer's status. A sign-up that a browser reported is provisional until a server confirms it. */
export function statusText({
  status,
  lead_state: leadState,
  source,
}: Pick<Customer, 'status' | 'lead_state' | 'source'>): string {
  if (status === 'conversion') return 'Paying';
  if (status === 'lead') return 'Lead';
  if (leadState === 'provisional') return 'Provisional lead';
  if (source === 'shared_click') return 'Paid with another’s click';
  return source === 'code' ? 'Came by code' : 'Clicked';
}

type Named = Pick<Customer, 'customer_key' | 'email_masked' | 'click_id'>;

/** How pages name a customer: by the brand's own id, otherwise by the e-mail address, otherwise by the click id. */
export const nameOf = ({ customer_key: key, email_masked: email, click_id: clickId }: Named): string =>
  key ?? email ?? clickId;
