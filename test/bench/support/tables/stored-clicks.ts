/** Prices in US dollars per GB and month, in us-east-1: of the table, and of its continuous backups. */
const STORAGE = { table: 0.25, backups: 0.2 };
const GIGABYTE = 2 ** 30;
/** How many bytes DynamoDB adds to an item, and to a row of an index. */
const OVERHEAD_BYTES = 100;

/** How many clicks a service gets, and how many of them it keeps. */
export interface ClickModel {
  readonly clicksAMonth: number;
  /** The share of clicks whose visitors sign up. These clicks are kept. */
  readonly signups: number;
  /** The number of months after which all other clicks are removed; `Infinity` if they are kept. */
  readonly unusedMonths: number;
  readonly bytes: number;
}

/** How many bytes an item takes, in the table and in one index that contains only keys. */
export function storedBytes(item: Readonly<Record<string, unknown>>): number {
  const { pk, sk, gsi1pk, gsi1sk } = item;
  return bytesOf(item) + bytesOf({ pk, sk, gsi1pk, gsi1sk }) + 2 * OVERHEAD_BYTES;
}

/** Size by DynamoDB's rules: texts in UTF-8; a byte per two digits of a number; for a map 3 bytes, and 1 per member. */
function bytesOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'number') return 1 + Math.ceil(String(Math.abs(value)).length / 2);
  if (typeof value !== 'object' || value === null) return value === undefined ? 0 : 1;
  return Object.entries(value).reduce(
    (sum, [name, member]) => sum + (member === undefined ? 0 : name.length + bytesOf(member) + 1),
    3,
  );
}

/** How many clicks the table contains after this many months. */
export const storedClicks = (months: number, { clicksAMonth, signups, unusedMonths }: ClickModel): number =>
  clicksAMonth * (signups * months + (1 - signups) * Math.min(months, unusedMonths));

/** What it costs, in US dollars, to store the clicks of this many months for one more month. */
export const storageUsd = (months: number, model: ClickModel): number =>
  (storedClicks(months, model) * model.bytes * (STORAGE.table + STORAGE.backups)) / GIGABYTE;
