import type { Countable } from '#lib/service/reports/counting/counters.ts';
import { type Counter, counterId } from '#lib/service/ground/counters/counter.ts';
import type { Sale } from '#lib/service/conversions/sales/sale.ts';
import { countableOf } from '#lib/service/reports/counting/counted-items.ts';
import { commissionNamedBy } from '#lib/service/earnings/commissions/commission-places-items.ts';
import { codeNameOf, type EventType, feedKeys, indexKeys, type Key, keys } from '#lib/service/ground/table/keys.ts';
import { pagesOf } from '#lib/service/ground/table/pages.ts';
import type { Table } from '#lib/service/ground/table/table.ts';

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
      yield items.flatMap((item) => (item && countableOf(item)) ?? []);
      // Clears the read cache, which would otherwise keep all events of the program.
      table.forget();
    }
  }
}

/** A sale, its commission and its refunds. */
export async function countablesOfSale(table: Table, { transactionId }: Sale): Promise<Countable[]> {
  const items = await table.query<Record<string, unknown>>(keys.sale(transactionId).pk);
  return items.flatMap((item) => countableOf(item) ?? []);
}

/** The counters of a program, its partners, its links and its codes, by counter id. */
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
