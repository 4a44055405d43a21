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
  /** The key that will be linked to the customer; undefined if none may be. */
  readonly customerKey?: string;
  /** Another customer, who loses this key. */
  readonly claimant?: AttributedCustomer;
  /** Set if the customer already has this key by a browser's claim, which the server's request confirms. */
  readonly confirmsKey?: boolean;
}

/**
 * Decides whether the customer key that a server sent with a click id is linked to the click's customer. The key is
 * linked if no customer has it, or if another customer has it only by a browser's claim. A customer who was not found
 * by click gets no key.
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
 * Finds the customer who loses a key when a payment creates a new customer with this key. A key that a server had
 * confirmed would have found that customer for the payment, so only a browser can have claimed it.
 */
export const keyOfNewcomer = async (
  table: Table,
  { programId, customerKey }: AttributedCustomer,
): Promise<BindableKey> => ({ claimant: await findCustomerByKey(table, programId, customerKey) });
