import { givesUpKey } from '#lib/domain/customer.ts';
import {
  attributedElsewhere,
  type Refusal,
  saleCustomerNotFound,
  saleIdentifierMissing,
} from '#lib/domain/refusals.ts';
import type { Resolved } from '#lib/domain/sale-decision.ts';
import type { Deps } from '#lib/service/deps.ts';
import { findCustomer, findCustomerByKey, programsOfCustomerKey } from '#lib/service/store/customers.ts';

/** A sale's identifiers of its customer. Undefined = not sent. */
interface Identifiers {
  /** Of a verification chain: matches the chain's customers only. */
  readonly isTest?: true;
  readonly customerKey?: string;
  readonly clickId?: string;
}

/**
 * The customer of this program: by its key first, else by its click. A click sent by the server overrides a key that
 * only a browser claimed.
 */
export async function resolveCustomer(
  { table }: Deps,
  { customerKey = '', clickId = '', isTest }: Identifiers,
  programId: number,
): Promise<Resolved | undefined> {
  const [keyed, found] = await Promise.all([
    findCustomerByKey(table, programId, customerKey, isTest),
    findCustomer(table, clickId, isTest),
  ]);
  const clicked = found?.programId === programId ? found : undefined;
  const byClick = clicked && ({ customer: clicked, resolvedBy: 'click_id', identifier: clickId } as const);
  if (!keyed) return byClick;
  // A sale binds no key while a provisional lead waits, so it can move none either.
  if (byClick && clicked.leadState !== 'provisional' && givesUpKey(keyed, clicked)) return byClick;
  return { customer: keyed, resolvedBy: 'customer_key', identifier: customerKey };
}

/** Nothing was sent, another program has the customer, or none has. */
export async function whyNoCustomer({ table }: Deps, { customerKey, clickId }: Identifiers): Promise<Refusal> {
  if (customerKey === undefined && clickId === undefined) return saleIdentifierMissing();
  const isElsewhere =
    (await findCustomer(table, clickId)) !== undefined || (await programsOfCustomerKey(table, customerKey)).length > 0;
  return isElsewhere ? attributedElsewhere() : saleCustomerNotFound();
}
