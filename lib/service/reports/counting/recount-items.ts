import type { Countable } from '#lib/service/reports/counting/counters.ts';
import { type Counter, counterId } from '#lib/service/ground/counters/counter.ts';
import { salesOf } from '#lib/service/conversions/sales/customer-sales-items.ts';
import type { Sale } from '#lib/service/conversions/sales/sale.ts';
import { countableOf } from '#lib/service/reports/counting/countable.ts';
import { commissionNamedBy, placeNamedBy } from '#lib/service/earnings/commissions/commission-places-items.ts';
import { codeNameOf, endOfDay, feedKeys, indexKeys, type Key, keys } from '#lib/service/ground/table/keys.ts';
import { pagesOf } from '#lib/service/ground/table/pages.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Day } from '#lib/service/ground/values/day.ts';

type Take = (countable: Countable) => void;

const itself = ({ pk, sk }: Key): Key => ({ pk, sk });

/** Passes every real click of a program in a period to a function. The period includes its first and its last day. */
export async function eachClick(table: Table, programId: number, [from, to]: readonly [Day, Day], take: Take) {
  const lists = feedKeys(programId, 'click', 'EVENTS').map((list) => ({ list, keyOf: itself }));
  // As text, a day sorts before all times of that day.
  await eachListed(table, lists, take, { since: from, until: endOfDay(to) });
}

/** Passes every real lead, sale, refund and commission of a program to a function. */
export async function eachConversion(table: Table, programId: number, take: Take): Promise<void> {
  const feeds = [
    ...(['lead', 'sale', 'refund'] as const).flatMap((type) => feedKeys(programId, type, 'EVENTS')),
    ...feedKeys(programId, 'sale', 'PROCESSOR_EVENTS'),
  ];
  await eachListed(
    table,
    [
      ...feeds.map((list) => ({ list, keyOf: itself })),
      { list: indexKeys.commission(programId, '', 0).gsi1pk, keyOf: commissionNamedBy },
    ],
    take,
  );
}

/** Reads several lists in parallel, page by page. */
async function eachListed(
  table: Table,
  lists: readonly { readonly list: string; readonly keyOf: (listed: Key) => Key }[],
  take: Take,
  { since, until }: { readonly since?: string; readonly until?: string } = {},
): Promise<void> {
  table.forget();
  await Promise.all(
    lists.map(async ({ list, keyOf }) => {
      for await (const page of pagesOf(table, list, since)) {
        const wanted = page.filter(({ position }) => until === undefined || position < until);
        const items = await Promise.all(wanted.map((key) => table.get<Record<string, unknown>>(keyOf(key))));
        for (const countable of items.flatMap((item) => (item && countableOf(item)) ?? [])) take(countable);
        // Without this, the read cache would contain all events of the program.
        table.forget();
        if (wanted.length < page.length) return;
      }
    }),
  );
}

/** A page of customers with a sale or a lead commission, and the position at which the page ends. */
interface EarningCustomers {
  readonly at: string;
  readonly clickIds: readonly string[];
}

/**
 * Every customer with a sale or a lead commission, page by page.
 * @param after position after the last page that is done
 */
export async function* earningCustomers(
  table: Table,
  programId: number,
  after?: string,
): AsyncGenerator<EarningCustomers> {
  const sales = (['EVENTS', 'PROCESSOR_EVENTS'] as const).flatMap((feed) => feedKeys(programId, 'sale', feed));
  const lists = [...sales, indexKeys.commission(programId, '', 0).gsi1pk];
  const [begun, position] = after === undefined ? [0] : (JSON.parse(after) as [number, string]);
  for (const [index, list] of lists.entries()) {
    if (index < begun) continue;
    for await (const page of pagesOf(table, list, index === begun ? position : undefined)) {
      const last = page.at(-1);
      if (!last) continue;
      const clickIds = index < sales.length ? await firstBuyers(table, page) : leadCustomers(page);
      yield { at: JSON.stringify([index, last.position]), clickIds };
      table.forget();
    }
  }
}

/** The customers whose first sale is on this page, so that each customer is named only once. */
async function firstBuyers(table: Table, page: readonly Key[]): Promise<string[]> {
  const sales = await Promise.all(page.map((key) => table.get<Sale>(itself(key))));
  const buyers = await Promise.all(
    sales.map(async (sale) => {
      if (!sale?.attribution) return [];
      const { clickId } = sale.attribution;
      for await (const [first] of salesOf(table, clickId, 1)) {
        if (first) return first.id === sale.id ? clickId : [];
      }
      return [];
    }),
  );
  return buyers.flat();
}

/** The customers of the lead commissions on a page. `firstBuyers` returns some of them as well, which does no harm. */
const leadCustomers = (page: readonly Key[]): string[] =>
  page.map(placeNamedBy).flatMap((place) => (place.kind === 'lead' ? place.clickId : []));

/** What counters count of a sale: the sale, its commission and its refunds. */
export async function countablesOfSale(table: Table, { transactionId }: Sale): Promise<Countable[]> {
  const items = await table.query<Record<string, unknown>>(keys.sale(transactionId).pk);
  return items.flatMap((item) => countableOf(item) ?? []);
}

/** The counters of a program, its partners, its links and its codes. */
export async function countersOf(table: Table, programId: number): Promise<Counter[]> {
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
  return [...new Map(counters.map((counter) => [counterId(counter), counter])).values()];
}

const PARTNER = 'PARTNER#';
const LINK = 'LINK#';
