import type { TrustsBrowsers } from '#lib/service/traffic/customers/browser-claim.ts';
import { type AttributedCustomer, givesUpKey, keyThatCounts } from '#lib/service/traffic/customers/customer.ts';
import { findCustomerByKey } from '#lib/service/traffic/customers/customer-keys-items.ts';
import type { Table } from '#lib/service/ground/table/table.ts';

/** The identifiers of a customer that a server sent. */
export interface NamedCustomer {
  readonly clickId?: string;
  readonly customerKey?: string;
}

interface BindableKey {
  /** The key that may be bound to the customer; undefined if no key may be bound. */
  readonly customerKey?: string;
  /** The customer who loses the key. */
  readonly claimant?: AttributedCustomer;
  /** The customer already has this key, and the server's request confirms it. */
  readonly confirmsKey?: boolean;
}

/**
 * Decides whether the key that a server sent together with a click id may be bound to the click's customer. It may be
 * bound if no customer has the key, or if only a browser has claimed the key for another customer. A customer who was
 * not found by click gets no key.
 */
export async function bindableKey(
  table: Table,
  customer: AttributedCustomer,
  { clickId, customerKey }: NamedCustomer,
  program: TrustsBrowsers,
): Promise<BindableKey> {
  if (!customerKey || clickId !== customer.clickId) return {};
  if (customer.customerKey === customerKey) return { confirmsKey: true };
  if (keyThatCounts(customer, program) !== undefined) return {};
  const holder = await findCustomerByKey(table, customer.programId, customerKey, customer.isTest);
  if (!holder) return { customerKey };
  return givesUpKey(holder, customer, program) ? { customerKey, claimant: holder } : {};
}

/**
 * Returns the customer who loses the key to a customer created by a payment. The key did not find its present holder,
 * so only a browser can have claimed the key for the holder.
 */
export const keyOfNewcomer = async (
  table: Table,
  { programId, customerKey }: AttributedCustomer,
): Promise<BindableKey> => ({ claimant: await findCustomerByKey(table, programId, customerKey) });
