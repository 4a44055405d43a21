import type { Customer } from '#lib/domain/customer.ts';
import { isPlainText } from '#lib/domain/identifier.ts';
import type { Partner } from '#lib/domain/partner.ts';
import { customerNotFound } from '#lib/domain/refusals.ts';
import type { CustomerHistory } from '#lib/domain/timeline.ts';
import type { Deps } from '#lib/service/deps.ts';
import { findRecordedCustomer, repeatClicksOf } from '#lib/service/store/customers.ts';
import { findLead } from '#lib/service/store/leads.ts';
import { findPartner } from '#lib/service/store/partners.ts';
import { firstClick, laterClick, MOST_CLICKS, withPartnerName } from '#lib/service/use-cases/clicks-on-the-way.ts';

/** A customer with the partner who has it. */
export interface CustomerOfPartner {
  readonly customer: Customer;
  /** Absent when the operator unlinked it. */
  readonly partner?: Partner;
}

export const withPartnerOf = async ({ table }: Deps, customer: Customer): Promise<CustomerOfPartner> => ({
  customer,
  partner:
    customer.partnerId === undefined ? undefined : await findPartner(table, customer.programId, customer.partnerId),
});

/** The customer of a program, unlinked and erased ones as well. @throws Refusal */
export async function recordedCustomerOf({ table }: Deps, programId: number, clickId = ''): Promise<Customer> {
  const customer = await findRecordedCustomer(table, isPlainText(clickId) ? clickId : undefined);
  if (customer?.programId !== programId) throw customerNotFound();
  return customer;
}

/**
 * What is stored of a customer. Its sales are not among it: they have no list of their own, which would cost every sale
 * a further item.
 */
export async function readCustomer(deps: Deps, customer: Customer): Promise<CustomerHistory & CustomerOfPartner> {
  const { table } = deps;
  const { clickId, programId, partnerId } = customer;
  const [listed, lead, repeatClicks] = await Promise.all([
    withPartnerOf(deps, customer),
    findLead(table, clickId),
    repeatClicksOf(table, clickId, MOST_CLICKS - 1),
  ]);
  const clicks = [firstClick(customer, partnerId), ...repeatClicks.map(laterClick)];
  return { ...listed, lead, clicks: await Promise.all(clicks.map((click) => withPartnerName(deps, programId, click))) };
}
