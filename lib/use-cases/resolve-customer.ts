import {
  attributedElsewhere,
  type Refusal,
  saleCustomerNotFound,
  saleIdentifierMissing,
} from '#lib/domain/refusals.ts';
import type { Resolved } from '#lib/domain/sale-decision.ts';
import type { Deps } from '#lib/deps.ts';
import { findCustomer, findCustomerByKey, programsOfCustomerKey } from '#lib/store/customers.ts';

/** What a sale says of its customer. Undefined = not sent. */
interface Identifiers {
  /** Of a verification chain: means a customer of the chain, and only such. */
  readonly isTest?: true;
  readonly customerKey?: string;
  readonly clickId?: string;
}

/** The customer of this program: by its key first, else by its click (contract 7). */
export async function resolveCustomer(
  { table }: Deps,
  { customerKey = '', clickId = '', isTest }: Identifiers,
  programId: number,
): Promise<Resolved | undefined> {
  const [keyed, clicked] = await Promise.all([
    findCustomerByKey(table, programId, customerKey, isTest),
    findCustomer(table, clickId, isTest),
  ]);
  if (keyed) return { customer: keyed, resolvedBy: 'customer_key', identifier: customerKey };
  return clicked?.programId === programId
    ? { customer: clicked, resolvedBy: 'click_id', identifier: clickId }
    : undefined;
}

/** Tells "nothing sent", "known to another program" and "unknown" apart. */
export async function whyNoCustomer({ table }: Deps, { customerKey, clickId }: Identifiers): Promise<Refusal> {
  if (customerKey === undefined && clickId === undefined) return saleIdentifierMissing();
  const isElsewhere =
    (await findCustomer(table, clickId)) !== undefined || (await programsOfCustomerKey(table, customerKey)).length > 0;
  return isElsewhere ? attributedElsewhere() : saleCustomerNotFound();
}
