import type { Sale } from '#lib/service/conversions/sales/sale.ts';
import { type Key, keys, transactionIdListedBy } from '#lib/service/ground/table/keys.ts';
import { findSale, saleOfCustomerWrites } from '#lib/service/conversions/sales/sales-items.ts';
import type { Table } from '#lib/service/ground/table/table.ts';

/** Page size for reading all sales of a customer. */
const PAGE = 50;

/** The newest sales of a customer, newest first. */
export const newestSalesOf = async (table: Table, clickId: string, most: number): Promise<Sale[]> =>
  (await salesListedBy(table, await listed(table, clickId, { most, newestFirst: true }))).slice(0, most);

/** All sales of a customer, oldest first, in pages. */
export async function* salesOf(table: Table, clickId: string, size = PAGE): AsyncGenerator<Sale[]> {
  let after: string | undefined;
  do {
    const entries = await listed(table, clickId, { most: size, after });
    yield salesListedBy(table, entries);
    after = entries.length < size ? undefined : entries.at(-1)?.sk;
  } while (after !== undefined);
}

/** The number of a customer's sales. */
export const countSalesOf = async (table: Table, clickId: string): Promise<number> =>
  (await table.query<Key>(keys.customer(clickId).pk, { prefix: 'SALE#', forList: true })).length;

/** Click ids of the former customers that were merged into this one. The customer's sales name them. */
export async function formerIdsOf(table: Table, clickId: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const sales of salesOf(table, clickId)) {
    ids.push(...sales.flatMap(({ attribution }) => attribution?.movedFrom ?? []));
  }
  return ids;
}

/**
 * The entries in the customer's list for a sale that a restore of the table has lost. Only the newest entries are
 * searched, because a restore loses only recent sales.
 */
export async function listingsOfLostSale(table: Table, clickId: string, transactionId: string): Promise<Key[]> {
  const latest = await listed(table, clickId, { most: PAGE, newestFirst: true });
  return latest.filter((entry) => transactionIdListedBy(entry) === transactionId);
}

const listed = (
  table: Table,
  clickId: string,
  request: { readonly most: number; readonly after?: string; readonly newestFirst?: boolean },
): Promise<Key[]> => table.query<Key>(keys.customer(clickId).pk, { prefix: 'SALE#', ...request });

/**
 * Loads the sales that a customer's list names. After a restore of the table, a listed sale may be lost, or it was sent
 * again and has a second entry. Such outdated entries are skipped.
 */
async function salesListedBy(table: Table, entries: readonly Key[]): Promise<Sale[]> {
  const sales = await Promise.all(entries.map((entry) => findSale(table, transactionIdListedBy(entry))));
  return sales.flatMap((sale, index) => {
    const [own] = sale ? saleOfCustomerWrites(sale) : [];
    const { pk, sk } = entries[index]!;
    return sale && own?.key.pk === pk && own.key.sk === sk ? sale : [];
  });
}
