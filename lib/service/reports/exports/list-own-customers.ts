import type { EventCounts } from '#lib/service/ground/counters/counter-readings.ts';
import type { Customer } from '#lib/service/traffic/customers/customer.ts';
import type { Page, PageRequest } from '#lib/service/ground/values/paging.ts';
import { amountsWithout, customerNameFor, hasFormerPartner } from '#lib/service/reports/stories/partner-customer.ts';
import type { Partner } from '#lib/service/programs/partners/partner.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { countsOf } from '#lib/service/ground/counters/counter-readings-items.ts';
import { findLeadCommission } from '#lib/service/conversions/leads/leads-items.ts';
import { customersOfPartner } from '#lib/service/reports/lists/listed-customers-items.ts';

/** A customer in the form in which its partner may see it. */
export interface OwnCustomer {
  /** A pseudonym that only this partner sees. */
  readonly name: string;
  readonly customer: Customer;
  /** The partner's link that brought the customer. */
  readonly shortLink?: string;
  /** Amounts from the counters, which may be some seconds behind the customer's sales. */
  readonly amounts: EventCounts['amounts'];
}

/** The partner's link that brought a customer. A code may have moved the customer from another partner's link. */
const ownLinkOf = ({ links }: Partner, { shortLink }: Customer): string | undefined =>
  links.find((link) => link === shortLink);

/** Customers of one partner who signed up or paid, newest first. @param link if set, only those whom it brought */
export async function listOwnCustomers(
  deps: Deps,
  program: Program,
  partner: Partner,
  page: PageRequest,
  link?: string,
): Promise<Page<OwnCustomer>> {
  const keep = (customer: Customer): boolean => link === undefined || ownLinkOf(partner, customer) === link;
  const { items, next } = await customersOfPartner(deps.table, program.id, partner.id, page, keep);
  const found = await Promise.all(
    items.map(async (customer) => ({
      name: customerNameFor(partner, customer, program),
      customer,
      shortLink: ownLinkOf(partner, customer),
      amounts: await ownAmounts(deps, partner, customer),
    })),
  );
  return { items: found, next };
}

/**
 * Returns a customer's amounts. If a code moved the customer to this partner, the commission that the former partner
 * may have earned is subtracted.
 */
async function ownAmounts({ table }: Deps, { id }: Partner, customer: Customer): Promise<EventCounts['amounts']> {
  const { clickId } = customer;
  const [{ amounts }, earned] = await Promise.all([
    countsOf(table, { of: 'customer', clickId }),
    hasFormerPartner(customer) ? findLeadCommission(table, clickId) : undefined,
  ]);
  return earned && earned.partnerId !== id ? amountsWithout(amounts, earned) : amounts;
}
