import type { AttributedCustomer } from '#lib/service/traffic/customers/customer.ts';
import type { Sale } from '#lib/service/conversions/sales/sale.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

/** The item that records that a customer has paid for a subscription, and the first sale of that subscription. */
interface SubscriptionItem extends Pick<AttributedCustomer, 'clickId'>, Pick<Sale, 'transactionId'> {}

/** The first customer in a program who paid for the subscription with this id. */
export const findSubscription = async (
  table: Table,
  programId: number,
  subscriptionId: string | undefined,
): Promise<SubscriptionItem | undefined> =>
  subscriptionId ? table.get<SubscriptionItem>(keys.subscription(programId, subscriptionId)) : undefined;

type Subscribed = Pick<Sale, 'transactionId' | 'subscriptionId'>;

/**
 * Returns whether a customer has already paid for a sale's subscription, and the write that records the subscription.
 * The item's key contains only the subscription, so the item can be read before the customer is known. Further
 * customers with the same subscription get an item below their customer item. The write fails if another first payment
 * was written first. This request then reloads and finds the item.
 */
export async function subscriptionOf(
  table: Table,
  { programId, clickId }: Pick<AttributedCustomer, 'programId' | 'clickId'>,
  { transactionId, subscriptionId }: Subscribed,
): Promise<{ readonly isPaid: boolean; readonly writes: readonly Write[] }> {
  if (!subscriptionId) return { isPaid: false, writes: [] };
  const item: SubscriptionItem = { clickId, transactionId };
  const first = await findSubscription(table, programId, subscriptionId);
  const isOther = first !== undefined && first.clickId !== clickId;
  const found = isOther ? await table.get<SubscriptionItem>(keys.subscriptionOf(clickId, subscriptionId)) : first;
  // After a restore lost this sale, the item may still name it. The sale that is sent again is no second payment.
  if (found) return { isPaid: found.transactionId !== transactionId, writes: [] };
  const key = isOther ? keys.subscriptionOf(clickId, subscriptionId) : keys.subscription(programId, subscriptionId);
  return { isPaid: false, writes: [{ name: 'subscription', key, put: item, condition: { isNew: true } }] };
}

/** The write that records a subscription for the customer to whom its sale has moved. */
export const movedSubscriptionWrites = ({ transactionId, subscriptionId, attribution }: Sale): Write[] =>
  subscriptionId && attribution
    ? [
        {
          name: 'subscription',
          key: keys.subscriptionOf(attribution.clickId, subscriptionId),
          put: { clickId: attribution.clickId, transactionId } satisfies SubscriptionItem,
        },
      ]
    : [];
