import type { Customer } from '#lib/domain/customer.ts';
import { traceEmail } from '#lib/domain/email.ts';
import type { Payer } from '#lib/domain/processor-event.ts';
import type { Program } from '#lib/domain/program.ts';
import type { Resolved } from '#lib/domain/sale-decision.ts';
import type { Deps } from '#lib/service/deps.ts';
import { findCustomer, findCustomerByEmail, findCustomerByKey } from '#lib/service/store/customers.ts';
import { findCustomerByPayer } from '#lib/service/store/payers.ts';

/**
 * The customer of this program who made a payment: by click id, else by the address
 * of a lead, else by the processor's customer of an earlier attributed payment, else by customer key. A click id that
 * stood in the address of the checkout comes last: it must not take a known payer from the first partner, and the
 * invoice of the same payment, which may be reported first, does not have it.
 * @param except click id of a customer who does not count
 */
export async function resolvePayer(
  { table }: Deps,
  { clickId, isClickReferred = false, email, processorCustomerId, customerKey, foundByEmail }: Payer,
  { id: programId, emailSalt }: Program,
  except?: string,
): Promise<Resolved<Customer> | undefined> {
  const clicked = await findCustomer(table, clickId);
  const byClick: Resolved<Customer> | undefined =
    clickId && clicked?.programId === programId
      ? { customer: clicked, resolvedBy: 'click_id', identifier: clickId }
      : undefined;
  if (byClick && !isClickReferred) return byClick;
  if (email !== undefined) {
    const { hash, masked } = traceEmail(email, emailSalt);
    const customer = await findCustomerByEmail(table, programId, hash);
    if (customer) return { customer, resolvedBy: 'email', identifier: masked };
  }
  if (foundByEmail) {
    const customer = await findCustomer(table, foundByEmail.clickId);
    if (customer) return { customer, resolvedBy: 'email', identifier: foundByEmail.masked };
  }
  if (processorCustomerId !== undefined) {
    const customer = await findCustomerByPayer(table, programId, processorCustomerId);
    if (customer && customer.clickId !== except)
      return { customer, resolvedBy: 'processor_customer', identifier: processorCustomerId };
  }
  const keyed = await findCustomerByKey(table, programId, customerKey);
  const customer = await findCustomer(table, keyed?.clickId);
  return customerKey && customer && customer.clickId !== except
    ? { customer, resolvedBy: 'customer_key', identifier: customerKey }
    : byClick;
}
