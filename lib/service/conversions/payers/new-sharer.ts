import { type Customer, customerOfSharedClick, type NamedPerson } from '#lib/service/traffic/customers/customer.ts';
import type { ByAnother, Resolved } from '#lib/service/conversions/attribution/resolution.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';

/**
 * Builds a new customer for an unknown person who pays with another customer's click. The customer is stored with this
 * person's first sale.
 */
export const newSharer = (
  { random }: Pick<Deps, 'random'>,
  { clicked, identifier }: ByAnother,
  named: NamedPerson,
): Resolved<Customer> => ({
  customer: customerOfSharedClick(clicked, { ...named, clickId: random.clickId() }),
  resolvedBy: 'click_id',
  identifier,
  isNew: true,
});
