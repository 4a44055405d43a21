import type { ComparedPartner } from '#lib/service/conversions/payers/compare-address.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { hasPartnerAt } from '#lib/service/programs/addresses/partners-at-items.ts';
import { findPartnerOf } from '#lib/service/programs/partners/partners-items.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import type { AttributedCustomer } from '#lib/service/traffic/customers/customer.ts';
import type { Lead } from '#lib/service/traffic/customers/lead.ts';

/**
 * The partner whose e-mail address is compared with the customer's. If no partner of the program has an address at the
 * customer's mail domain, the two addresses cannot be equal. The partner is then not read, and only its id is returned.
 */
export async function partnerToCompare(
  { table }: Deps,
  program: Program,
  found: AttributedCustomer,
  { email, isTest }: Pick<Lead, 'isTest'> & { readonly email?: string },
): Promise<ComparedPartner | undefined> {
  // For a provisional lead, only a hash of the e-mail address is stored, and its domain cannot be looked up.
  if (email === undefined) return found.leadState === undefined ? undefined : findPartnerOf(table, found);
  const { partnerId } = found;
  if (partnerId === undefined || isTest || !program.listsAddresses) return findPartnerOf(table, found);
  return (await hasPartnerAt(table, program.id, email)) ? findPartnerOf(table, found) : { id: partnerId };
}
