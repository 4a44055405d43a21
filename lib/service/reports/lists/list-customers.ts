import type { Customer, CustomerStatus } from '#lib/service/traffic/customers/customer.ts';
import type { Page, PageRequest } from '#lib/service/ground/values/paging.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { customersOf, customersOfPartner } from '#lib/service/reports/lists/listed-customers-items.ts';
import { type CountedCustomer, withAmounts } from '#lib/service/reports/stories/read-customer.ts';

export interface CustomerFilter {
  readonly status?: CustomerStatus;
  readonly partnerId?: number;
}

/** Customers of a program who signed up or paid, newest first. */
export async function listCustomers(
  deps: Deps,
  programId: number,
  { status, partnerId }: CustomerFilter,
  page: PageRequest,
): Promise<Page<CountedCustomer>> {
  const { table } = deps;
  const keep = (customer: Customer): boolean => status === undefined || customer.status === status;
  const { items, next } = await (partnerId === undefined
    ? customersOf(table, programId, page, keep)
    : customersOfPartner(table, programId, partnerId, page, keep));
  return { items: await Promise.all(items.map((customer) => withAmounts(deps, customer))), next };
}
