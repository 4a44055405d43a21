import type { Countable } from '#lib/service/reports/counting/counters.ts';
import { type Counter, counterId } from '#lib/service/ground/counters/counter.ts';
import type { Sale } from '#lib/service/conversions/sales/sale.ts';
import { countableOf } from '#lib/service/reports/counting/counted-items.ts';
import { commissionNamedBy } from '#lib/service/earnings/commissions/commission-places-items.ts';
import { codeNameOf, type EventType, feedKeys, indexKeys, type Key, keys } from '#lib/service/ground/table/keys.ts';
import { pagesOf } from '#lib/service/ground/table/pages.ts';
import { findSale } from '#lib/service/conversions/sales/sales-items.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import { MOST_WRITES } from '#lib/service/ground/table/writes.ts';

const itself = ({ pk, sk }: Key): Key => ({ pk, sk });

const eventTypes: readonly EventType[] = ['click', 'lead', 'sale', 'refund'];

/** Every real event and every commission of a program, in pages. */
export async function* countablesOf(table: Table, programId: number): AsyncGenerator<Countable[]> {
  const lists = [
    ...[
      ...eventTypes.flatMap((type) => feedKeys(programId, type, 'EVENTS')),
      ...feedKeys(programId, 'sale', 'PROCESSOR_EVENTS'),
    ].map((list) => ({ list, keyOf: itself })),
    { list: indexKeys.commission(programId, '', 0).gsi1pk, keyOf: commissionNamedBy },
  ];
  for (const { list, keyOf } of lists) {
    for await (const page of pagesOf(table, list)) {
      const items = await Promise.all(page.map((key) => table.get<Record<string, unknown>>(keyOf(key))));
      const found = items.flatMap((item) => (item && countableOf(item)) ?? []);
      yield await Promise.all(found.map((countable) => withLink(table, countable)));
      // Else the read cache would keep all events of the program.
      table.forget();
    }
  }
}

/** A sale, its commission and its refunds. */
export async function countablesOfSale(table: Table, { transactionId }: Sale): Promise<Countable[]> {
  const items = await table.query<Record<string, unknown>>(keys.sale(transactionId).pk);
  return items.flatMap((item) => countableOf(item) ?? []);
}

/** Commissions and refunds made before links counted their money do not name the link: their sale does. */
async function withLink(table: Table, countable: Countable): Promise<Countable> {
  const { kind, item } = countable;
  if ((kind !== 'commission' && kind !== 'refund') || item.shortLink !== undefined) return countable;
  const { transactionId } = item as { readonly transactionId?: string };
  if (transactionId === undefined) return countable;
  const sale = await findSale(table, transactionId);
  return { kind, item: { ...item, shortLink: sale?.attribution?.shortLink } } as Countable;
}

/** The counters of a program, its partners, its links and its codes, by their ids. */
export async function countersOf(table: Table, programId: number): Promise<Map<string, Counter>> {
  const counters: Counter[] = [{ of: 'program', programId }];
  for await (const page of pagesOf(table, indexKeys.partner(programId, '', 0).gsi1pk)) {
    for (const { sk } of page) counters.push({ of: 'partner', programId, partnerId: Number(sk.slice(PARTNER.length)) });
  }
  for await (const page of pagesOf(table, indexKeys.link(programId, '', '').gsi1pk)) {
    for (const { pk } of page) counters.push({ of: 'link', shortLink: pk.slice(LINK.length) });
  }
  for await (const page of pagesOf(table, indexKeys.code(programId, '', '').gsi1pk)) {
    for (const key of page) counters.push({ of: 'code', programId, code: codeNameOf(key) });
  }
  return new Map(counters.map((counter) => [counterId(counter), counter]));
}

const PARTNER = 'PARTNER#';
const LINK = 'LINK#';

/**
 * Removes the counters that versions before December 2026 kept: by day, hour, partner and link, and of what is pending.
 * Nothing reads them.
 */
export async function removeFormerCounters(
  table: Table,
  programId: number,
  shortLinks: Iterable<string>,
): Promise<void> {
  const { pk } = keys.program(programId);
  const [counts, pending, ofLinks] = await Promise.all([
    table.query<Key>(pk, { prefix: 'COUNT#' }),
    table.query<Key>(pk, { prefix: 'PENDING#' }),
    Promise.all(
      [...shortLinks].flatMap((shortLink) =>
        ['COUNT', 'LAST_CLICK'].map((sk) => table.get<Key>({ pk: keys.link(shortLink).pk, sk })),
      ),
    ),
  ]);
  const former = [...counts, ...pending, ...ofLinks.filter((item) => item !== undefined)];
  for (let at = 0; at < former.length; at += MOST_WRITES) {
    const some = former.slice(at, at + MOST_WRITES);
    await table.transact(some.map((key) => ({ name: 'former', key: itself(key), remove: true })));
  }
}
