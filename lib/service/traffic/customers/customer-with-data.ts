import type { Customer } from '#lib/service/traffic/customers/customer.ts';
import { isPlainText } from '#lib/service/ground/values/identifier.ts';
import { customerNotFound } from '#lib/service/ground/values/refusals.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findRecordedCustomer } from '#lib/service/traffic/customers/customers-items.ts';

/**
 * The customer of the program with this click id, even if erased or unlinked. A customer created by a coupon code may
 * have been merged into another customer, who then has all personal data and is returned.
 * @throws Refusal
 */
export async function customerWithData(
  { table }: Pick<Deps, 'table'>,
  programId: number,
  clickId: string | undefined,
  refusal = customerNotFound,
): Promise<Customer> {
  const isId = clickId !== undefined && isPlainText(clickId);
  const named = isId ? await findRecordedCustomer(table, clickId) : undefined;
  const customer = named?.movedTo === undefined ? named : await findRecordedCustomer(table, named.movedTo);
  if (customer?.programId !== programId) throw refusal();
  return customer;
}
