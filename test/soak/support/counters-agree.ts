import { isDeepStrictEqual } from 'node:util';
import { setTimeout as pause } from 'node:timers/promises';
import { allItems } from '#test/support/invariants.ts';
import { hold } from '#test/live/hold.ts';
import type { Service } from '#test/live/service.ts';

type Item = Readonly<Record<string, unknown>>;
/** Numbers by their field, in rows by `pk / sk`. */
type Rows = Record<string, Record<string, number>>;
/** What an item adds to a row. */
type Entry = readonly [row: string, field: string, by: unknown];

const MOST_LOOKS = 120;
const BETWEEN_LOOKS_MS = 250;

/**
 * The counters follow the events a little later; nothing may happen meanwhile. What they must hold is counted here
 * from the table's items, without the service's own arithmetic.
 * @returns all items of the table
 */
export async function expectCountersAgree(table: Service['table']): Promise<Item[]> {
  for (let look = 1; ; look++) {
    const items = await allItems(table);
    const [expected, stored] = [expectedCounters(items), storedCounters(items)];
    if (isDeepStrictEqual(expected, stored)) return items;
    hold(look < MOST_LOOKS, `The counters do not agree with the events: ${differences(expected, stored)}`);
    await pause(BETWEEN_LOOKS_MS);
  }
}

const day = ({ programId }: Item, at: unknown) => `PROGRAM#${String(programId)} / COUNT#D#${String(at).slice(0, 10)}`;
const hour = ({ programId }: Item, at: unknown) => `PROGRAM#${String(programId)} / COUNT#H#${String(at).slice(0, 13)}`;
const partner = ({ programId }: Item, id: unknown) => `PROGRAM#${String(programId)} / COUNT#PARTNER#${String(id)}`;
const link = (shortLink: unknown) => `LINK#${String(shortLink)} / COUNT`;
const minute = (at: unknown) => String(at).slice(14, 16);

const happened = (item: Item, what: 'clicks' | 'leads' | 'sales', at: unknown, { partnerId, shortLink } = item) =>
  [
    [hour(item, at), `${what[0]}${minute(at)}`, 1],
    [partner(item, partnerId), what, 1],
    [link(shortLink), what, 1],
  ] as const satisfies Entry[];

const entriesOfClick = (item: Item): Entry[] => {
  const at = item.createdAt ?? item.firstClickAt;
  return [[day(item, at), 'clicks', 1], ...happened(item, 'clicks', at)];
};

/** By the beginning of the item's sort key. All of these items have a partner. */
const entriesOf: Readonly<Record<string, (item: Item) => Entry[]>> = {
  CUSTOMER: entriesOfClick,
  CLICK: entriesOfClick,
  LEAD: (item) =>
    item.state === 'settled'
      ? [[day(item, item.createdAt), 'leads', 1], ...happened(item, 'leads', item.createdAt)]
      : [],
  SALE: (item) => {
    const attribution = item.attribution as Item;
    const revenue = [`revenue${String(item.currency)}`, item.amountCents] as const;
    return [
      [day(item, item.occurredAt), 'sales', 1],
      [day(item, item.occurredAt), ...revenue],
      [partner(item, attribution.partnerId), ...revenue],
      ...happened(item, 'sales', item.createdAt, attribution),
    ];
  },
  COMMISSION: (item) => {
    const { holdUntil, partnerId, occurredAt } = item;
    const fee = item.platformFee as Item;
    const commission = [`commission${String(item.currency)}`, item.amountCents] as const;
    const pending = `PROGRAM#${String(item.programId)} / PENDING#`;
    const isPending = item.status === 'pending' ? 1 : 0;
    return [
      [day(item, occurredAt), ...commission],
      [partner(item, partnerId), ...commission],
      [day(item, occurredAt), `platformFee${String(fee.currency)}`, fee.amountCents],
      [`${pending}all`, 'pending', isPending],
      [`${pending}D#${String(holdUntil).slice(0, 10)}`, 'pending', isPending],
      [`${pending}H#${String(holdUntil).slice(0, 13)}`, `p${minute(holdUntil)}`, isPending],
    ];
  },
  REFUND: (item) => {
    const { createdAt, currency, commissionCurrency, partnerId } = item;
    const deduction = [`commission${String(commissionCurrency)}`, -Number(item.deductionCents)] as const;
    return [
      [day(item, createdAt), `refunded${String(currency)}`, item.amountCents],
      [day(item, createdAt), `platformFee${String(currency)}`, -Number(item.feeReductionCents)],
      [day(item, createdAt), ...deduction],
      [partner(item, partnerId), ...deduction],
    ];
  },
};

function expectedCounters(items: readonly Item[]): Rows {
  const rows: Rows = {};
  for (const item of items) {
    for (const [row, field, by] of entriesOf[String(item.sk).replace(/#.*/, '')]?.(item) ?? []) {
      rows[row] ??= {};
      rows[row][field] = (rows[row][field] ?? 0) + Number(by);
    }
  }
  return withoutZeros(Object.entries(rows));
}

const storedCounters = (items: readonly Item[]): Rows =>
  withoutZeros(
    items
      .filter(({ sk }) => /^(COUNT(#.*)?|PENDING#.*)$/.test(String(sk)))
      .map((item) => {
        const { pk, sk, version: _, ...counts } = item;
        return [`${String(pk)} / ${String(sk)}`, counts as Rows[string]];
      }),
  );

const withoutZeros = (rows: readonly [string, Rows[string]][]): Rows =>
  Object.fromEntries(
    rows
      .map(
        ([row, counts]) =>
          [row, Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0))] as const,
      )
      .filter(([, counts]) => Object.keys(counts).length > 0),
  );

/** The first few. */
function differences(expected: Rows, stored: Rows): string {
  const rows = Object.keys({ ...expected, ...stored }).filter((row) => !isDeepStrictEqual(expected[row], stored[row]));
  const shown = rows
    .slice(0, 5)
    .map((row) => `${row} holds ${JSON.stringify(stored[row])}, should hold ${JSON.stringify(expected[row])}`);
  return `${rows.length} rows, such as ${shown.join('; ')}`;
}
