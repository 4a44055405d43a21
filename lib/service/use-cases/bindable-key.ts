import { type AttributedCustomer, givesUpKey } from '#lib/domain/customer.ts';
import { findCustomerByKey } from '#lib/service/store/customers.ts';
import type { Table } from '#lib/service/store/table.ts';

/** A key that may be bound; absent = it may not. */
interface BindableKey {
  readonly customerKey?: string;
  /** Who gives it up. */
  readonly claimant?: AttributedCustomer;
}

/** Whether a customer may get the key that a server named with its click: nobody has it, or has it from a browser only. */
export async function bindableKey(
  table: Table,
  customer: AttributedCustomer,
  customerKey: string | undefined,
): Promise<BindableKey> {
  if (!customerKey || customer.customerKey !== undefined) return {};
  const holder = await findCustomerByKey(table, customer.programId, customerKey);
  if (!holder) return { customerKey };
  return givesUpKey(holder, customer) ? { customerKey, claimant: holder } : {};
}
