import { allItems, expectNothingHalfWritten } from '#test/support/table/invariants.ts';
import { expectCountersAgree } from '#test/soak/support/counters-agree.ts';
import { hold } from '#test/live/hold.ts';
import type { Service } from '#test/live/service.ts';

export type Item = Readonly<Record<string, unknown>>;

/** Stored sales and customers by their public ids. */
export interface Stored {
  /** By transaction id. */
  readonly sales: ReadonlyMap<string, Item>;
  readonly commissions: ReadonlyMap<string, Item>;
  /** By click id. */
  readonly customers: ReadonlyMap<string, Item>;
  readonly leads: ReadonlyMap<string, Item>;
}

/**
 * Reads the whole table, in which nothing may be half written, and lets the counters catch up with it.
 * @throws if anything disagrees
 */
export async function soundTable({ table }: Pick<Service, 'table'>): Promise<Stored> {
  await expectNothingHalfWritten(table);
  const items = await expectCountersAgree(table);
  const stored = storedIn(items);
  const ids = new Set([...stored.sales.values()].map(({ id }) => id));
  hold(ids.size === stored.sales.size, `${stored.sales.size} sales have only ${ids.size} ids`);
  return stored;
}

/** The table's current contents. */
export const storedNow = async ({ table }: Pick<Service, 'table'>): Promise<Stored> => storedIn(await allItems(table));

function storedIn(items: readonly Item[]): Stored {
  const byName = (sk: string, name: string) =>
    new Map(items.filter((item) => item.sk === sk).map((item) => [String(item[name]), item]));
  return {
    sales: byName('SALE', 'transactionId'),
    commissions: byName('COMMISSION', 'transactionId'),
    customers: byName('CUSTOMER', 'clickId'),
    leads: byName('LEAD', 'clickId'),
  };
}
