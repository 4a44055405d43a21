import { statusText } from '#lib/apps/dashboard/customers/customer-texts.ts';
import { Badge } from '#lib/apps/web/parts/figures/badge.tsx';
import type { Customer } from '#lib/wire/traffic/customer.ts';

const tones = { click: 'plain', lead: 'waiting', conversion: 'good' } as const;

export const CustomerStatus = ({ customer }: { readonly customer: Customer }) => (
  <Badge tone={tones[customer.status]}>{statusText(customer)}</Badge>
);
