import { isDeepStrictEqual } from 'node:util';
import { setTimeout as pause } from 'node:timers/promises';
import { allItems } from '#test/support/table/invariants.ts';
import { hold } from '#test/live/hold.ts';
import type { Service } from '#test/live/service.ts';

type Item = Readonly<Record<string, unknown>>;
/** Numbers by field, in a row per counter. */
type Rows = Record<string, Record<string, number>>;
/** An item's contribution to a row. */
type Entry = readonly [row: string, field: string, by: unknown];

const MOST_LOOKS = 120;
const BETWEEN_LOOKS_MS = 250;

/**
 * The counters follow the events a little later; no events may arrive in the meantime. The expected values are counted
 * here from the table's items, without the service's own arithmetic.
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

const program = ({ programId }: Item) => `PROGRAM#${String(programId)}`;

/** Entries for the program, the partner and the link: totals, and the same numbers by day. All items have a partner. */
const onDay = (item: Item, at: unknown, numbers: Item, { partnerId, shortLink } = item): Entry[] =>
  [program(item), `PARTNER#${String(item.programId)}#${String(partnerId)}`, `LINK#${String(shortLink)}`].flatMap(
    (row) =>
      Object.entries(numbers).flatMap(([what, by]): Entry[] => [
        [row, what, by],
        [row, `${what}@${String(at).slice(0, 10)}`, by],
      ]),
  );

/** Entries for the customer: totals only. */
const ofCustomer = (clickId: unknown, numbers: Item): Entry[] =>
  Object.entries(numbers).map(([what, by]): Entry => [`CUSTOMER#${String(clickId)}`, what, by]);

const inMinute = (item: Item, what: string, at: unknown): Entry => [
  program(item),
  `${what}@${String(at).slice(0, 16)}`,
  1,
];

const entriesOfClick = (item: Item): Entry[] => {
  const at = item.createdAt ?? item.firstClickAt;
  return [...onDay(item, at, { clicks: 1 }), inMinute(item, 'clicks', at)];
};

/** The entries of an item, by the prefix of its sort key. */
const entriesOf: Readonly<Record<string, (item: Item) => Entry[]>> = {
  CUSTOMER: entriesOfClick,
  CLICK: entriesOfClick,
  LEAD: (item) =>
    item.state === 'settled'
      ? [...onDay(item, item.createdAt, { leads: 1 }), inMinute(item, 'leads', item.createdAt)]
      : [],
  SALE: (item) => [
    ...onDay(
      item,
      item.occurredAt,
      { sales: 1, [`revenue${String(item.currency)}`]: item.amountCents },
      item.attribution as Item,
    ),
    inMinute(item, 'sales', item.createdAt),
    ...ofCustomer((item.attribution as Item).clickId, { [`revenue${String(item.currency)}`]: item.amountCents }),
  ],
  COMMISSION: (item) => {
    const fee = item.platformFee as Item;
    const earned = {
      [`commission${String(item.currency)}`]: item.amountCents,
      [`platformFee${String(fee.currency)}`]: fee.amountCents,
    };
    const pending: Entry[] = [
      [program(item), 'pending', 1],
      [program(item), `pending@${String(item.holdUntil).slice(0, 10)}`, 1],
      inMinute(item, 'pending', item.holdUntil),
    ];
    const paidOut: Entry = [
      `PARTNER#${String(item.programId)}#${String(item.partnerId)}`,
      `paidOut${String(item.currency)}`,
      Number(item.amountCents) - Number(item.deductedCents),
    ];
    const commission = { [`commission${String(item.currency)}`]: item.amountCents };
    return [
      ...ofCustomer(item.clickId, commission),
      ...onDay(item, item.occurredAt, earned),
      ...(item.status === 'pending' ? pending : []),
      ...(item.status === 'paid' ? [paidOut] : []),
    ];
  },
  REFUND: (item) => {
    const { createdAt, currency, commissionCurrency } = item;
    return [
      ...onDay(item, createdAt, {
        [`refunded${String(currency)}`]: item.amountCents,
        [`platformFee${String(currency)}`]: -Number(item.feeReductionCents),
      }),
      ...onDay(item, createdAt, { [`commission${String(commissionCurrency)}`]: -Number(item.deductionCents) }),
      ...ofCustomer(item.clickId, { [`refunded${String(currency)}`]: item.amountCents }),
      ...ofCustomer(item.clickId, { [`commission${String(commissionCurrency)}`]: -Number(item.deductionCents) }),
    ];
  },
};

function expectedCounters(items: readonly Item[]): Rows {
  const rows: Rows = {};
  // A customer's list of sales is not counted.
  for (const item of items.filter(({ sk }) => !String(sk).startsWith('SALE#'))) {
    for (const [row, field, by] of entriesOf[String(item.sk).replace(/#.*/, '')]?.(item) ?? [])
      add(rows, row, field, by);
  }
  return withoutZeros(rows);
}

/** A counter's numbers are in its main item and in those of its months and hours. */
function storedCounters(items: readonly Item[]): Rows {
  const rows: Rows = {};
  for (const { pk, sk: _, version: __, moves: ___, expires_at: ____, ...holds } of items) {
    const [, row] = /^COUNTER#(.*)$/.exec(String(pk)) ?? [];
    if (row === undefined) continue;
    for (const [field, by] of Object.entries(holds)) if (typeof by === 'number') add(rows, row, field, by);
  }
  return withoutZeros(rows);
}

function add(rows: Rows, row: string, field: string, by: unknown): void {
  rows[row] ??= {};
  rows[row][field] = (rows[row][field] ?? 0) + Number(by);
}

const withoutZeros = (rows: Rows): Rows =>
  Object.fromEntries(
    Object.entries(rows)
      .map(
        ([row, counts]) =>
          [row, Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0))] as const,
      )
      .filter(([, counts]) => Object.keys(counts).length > 0),
  );

/** The first few differences between expected and stored rows. */
function differences(expected: Rows, stored: Rows): string {
  const rows = Object.keys({ ...expected, ...stored }).filter((row) => !isDeepStrictEqual(expected[row], stored[row]));
  const shown = rows
    .slice(0, 5)
    .map((row) => `${row} holds ${JSON.stringify(stored[row])}, should hold ${JSON.stringify(expected[row])}`);
  return `${rows.length} rows, such as ${shown.join('; ')}`;
}
