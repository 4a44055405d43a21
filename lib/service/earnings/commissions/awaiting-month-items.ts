import { awaitsMonth, type Commission, ofSale } from '#lib/service/earnings/commissions/commission.ts';
import { type Key, keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

/**
 * The number of partitions over which the list is spread, because DynamoDB allows 1,000 writes per second per
 * partition, and all sales of a month's first minutes may be listed here.
 */
const SHARES = 4;

/** A commission that waits for its month to end. */
export interface AwaitingMonth {
  readonly key: Key;
  readonly transactionId: string;
  readonly month: string;
}

/**
 * Lists a commission that waits until the partner's sales of the month are final. The write is part of the transaction
 * that creates the commission, so no commission is missed.
 */
export function awaitingMonthWrites(commission: Commission): Write[] {
  const earned = ofSale(commission);
  if (!earned?.tierSales || !awaitsMonth(earned)) return [];
  const { month } = earned.tierSales;
  const { id, transactionId } = earned;
  const key = keys.awaitingMonth(id % SHARES, month, transactionId);
  return [{ name: 'awaitingMonth', key, put: { transactionId, month } }];
}

export const awaitingMonthRemoval = ({ key }: AwaitingMonth): Write => ({ name: 'awaitingMonth', key, remove: true });

const MOST_AT_ONCE = 100;

/** Yields, in pages, all commissions that wait for their month to end. Some pages may be empty. */
export async function* awaitingMonths(table: Table): AsyncGenerator<readonly AwaitingMonth[]> {
  for (let share = 0; share < SHARES; share++) {
    const { pk } = keys.awaitingMonth(share, '', '');
    let after: string | undefined;
    do {
      const page: (Omit<AwaitingMonth, 'key'> & Key)[] = await table.query(pk, { most: MOST_AT_ONCE, after });
      yield page.map(({ sk, transactionId, month }) => ({ key: { pk, sk }, transactionId, month }));
      after = page.length < MOST_AT_ONCE ? undefined : page.at(-1)!.sk;
    } while (after !== undefined);
  }
}
