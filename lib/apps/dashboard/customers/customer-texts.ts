import type { Option } from '#lib/apps/web/parts/forms/option.ts';
import type { Customer } from '#lib/wire/traffic/customer.ts';

export const statusOptions: readonly Option[] = [
  ['', 'All'],
  ['click', 'Provisional lead'],
  ['lead', 'Lead'],
  ['conversion', 'Paying'],
];

/** A customer's status. Provisional: a browser reported the signup, and no server has confirmed it yet. */
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

/** A customer's display name: the brand's id, otherwise the address, otherwise the click id. */
export const nameOf = ({ customer_key: key, email_masked: email, click_id: clickId }: Named): string =>
  key ?? email ?? clickId;
