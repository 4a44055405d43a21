import type { TrustsBrowsers } from '#lib/service/traffic/customers/browser-claim.ts';
import { type AttributedCustomer, givesUpKey, keyThatCounts } from '#lib/service/traffic/customers/customer.ts';
import { findCustomerByKey } from '#lib/service/traffic/customers/customers-items.ts';
import type { Table } from '#lib/service/ground/table/table.ts';

/** A server's identifiers of a customer. */
export interface NamedCustomer {
  readonly clickId?: string;
  readonly customerKey?: string;
}

interface BindableKey {
  /** A key that may be bound; absent = it may not. */
  readonly customerKey?: string;
  /** The customer who loses it. */
  readonly claimant?: AttributedCustomer;
  /** The customer has this key already, and the server confirms it. */
  readonly confirmsKey?: boolean;
}

/**
 * Whether a customer may get the key that a server named together with its click: no customer has it, or one has it
 * from a browser only. A customer that was not found by its click gets none.
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

/** Who loses the key of a customer whom a payment makes: nobody was found by it, so it was only claimed. */
export const keyOfNewcomer = async (
  table: Table,
  { programId, customerKey }: AttributedCustomer,
): Promise<BindableKey> => ({ claimant: await findCustomerByKey(table, programId, customerKey) });
