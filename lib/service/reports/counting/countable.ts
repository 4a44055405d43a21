import type { Countable } from '#lib/service/reports/counting/counters.ts';
import { type Customer, partnerOfClick } from '#lib/service/traffic/customers/customer.ts';

type Item = Readonly<Record<string, unknown>>;

/** What counters count of a table item; undefined for an item that is not counted. */
export function countableOf(item: Item): Countable | undefined {
  const kind = kindOf(String(item.sk));
  if (!kind) return undefined;
  if (item.sk === 'CUSTOMER') return firstClickOf(item as unknown as Customer);
  return { kind, item } as unknown as Countable;
}

/** The first click that a customer's item contains. A customer created by a payment has none. */
const firstClickOf = (customer: Customer): Countable | undefined =>
  customer.source !== undefined
    ? undefined
    : ({
        kind: 'click',
        item: { ...customer, partnerId: partnerOfClick(customer), createdAt: customer.firstClickAt },
      } as Countable);

/** The kind of an item, derived from its sort key if this is one of the `countedSortKeys`. */
function kindOf(sk: string): Countable['kind'] | undefined {
  if (sk === 'CUSTOMER' || sk.startsWith('CLICK#')) return 'click';
  if (sk === 'LEAD') return 'lead';
  if (sk === 'SALE') return 'sale';
  if (sk === 'COMMISSION') return 'commission';
  return sk.startsWith('REFUND#') ? 'refund' : undefined;
}
