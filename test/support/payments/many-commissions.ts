import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { newCommission, type SaleCommission } from '#lib/service/earnings/commissions/commission.ts';
import { commissionWrites } from '#lib/service/earnings/commissions/commissions-items.ts';
import { NOW } from '#test/support/callers/request.ts';
import type { World } from '#test/support/programs/world.ts';
import { termsOf } from '#test/support/payments/terms.ts';

const terms = termsOf();

/** DynamoDB's limit for BatchWriteItem. */
const MOST_ITEMS = 25;

/**
 * Creates commissions without sales, a millisecond apart, for tests that only need a large number of them.
 * @param partner to whom they belong: one partner, or a function that returns the partner of each
 * @param as their status
 * @returns their ids, oldest first
 */
export async function manyCommissions(
  { client, tableName }: Pick<World, 'client' | 'tableName'>,
  programId: number,
  partner: number | ((n: number) => number),
  count: number,
  transactionIdOf: (n: number) => string,
  as: Partial<SaleCommission> = {},
): Promise<number[]> {
  const ids = Array.from({ length: count }, (_, n) => programId * 1_000_000 + n);
  const items = ids.flatMap((id, n) => {
    const at = new Date(NOW.getTime() + n).toISOString();
    const partnerId = typeof partner === 'number' ? partner : partner(n);
    const names = { id, saleId: id, programId, partnerId, clickId: 'clk_1' };
    const sale = { ...names, transactionId: transactionIdOf(n), occurredAt: at, createdAt: at, actor: 'api' } as const;
    const payment = { amountCents: 1000, currency: 'USD', isRecurring: false, paidAt: NOW } as const;
    return commissionWrites({ ...newCommission(sale, terms, payment), ...as }).map((write) => ({
      ...('put' in write && write.put),
      ...write.key,
    }));
  });
  for (let first = 0; first < items.length; first += MOST_ITEMS * 8) {
    const eight = Array.from({ length: 8 }, (_, n) => first + n * MOST_ITEMS).filter((at) => at < items.length);
    await Promise.all(
      eight.map((at) => {
        const requests = items.slice(at, at + MOST_ITEMS).map((Item) => ({ PutRequest: { Item } }));
        return client.send(new BatchWriteCommand({ RequestItems: { [tableName]: requests } }));
      }),
    );
  }
  return ids;
}
