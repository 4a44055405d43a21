/** US dollars a month per GB, us-east-1: the table, and its continuous backups. */
const STORAGE = { table: 0.25, backups: 0.2 };
const GIGABYTE = 2 ** 30;
/** What DynamoDB adds to an item, and to an entry of an index. */
const OVERHEAD_BYTES = 100;

/** Clicks of a service, and what becomes of them. */
export interface ClickModel {
  readonly clicksAMonth: number;
  /** Part of the clicks whose visitors sign up, so that they stay. */
  readonly signups: number;
  /** Months after which the others are removed; `Infinity` if they stay. */
  readonly unusedMonths: number;
  readonly bytes: number;
}

/** The bytes that an item takes in the table and in one index with only keys. */
export function storedBytes(item: Readonly<Record<string, unknown>>): number {
  const { pk, sk, gsi1pk, gsi1sk } = item;
  return bytesOf(item) + bytesOf({ pk, sk, gsi1pk, gsi1sk }) + 2 * OVERHEAD_BYTES;
}

/** By DynamoDB's rules: names and texts as UTF-8, two digits of a number in a byte, three bytes and one per member of a map. */
function bytesOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'number') return 1 + Math.ceil(String(Math.abs(value)).length / 2);
  if (typeof value !== 'object' || value === null) return value === undefined ? 0 : 1;
  return Object.entries(value).reduce(
    (sum, [name, member]) => sum + (member === undefined ? 0 : name.length + bytesOf(member) + 1),
    3,
  );
}

/** The clicks that the table holds after some months. */
export const storedClicks = (months: number, { clicksAMonth, signups, unusedMonths }: ClickModel): number =>
  clicksAMonth * (signups * months + (1 - signups) * Math.min(months, unusedMonths));

/** What storing them costs in the month after, in US dollars. */
export const storageUsd = (months: number, model: ClickModel): number =>
  (storedClicks(months, model) * model.bytes * (STORAGE.table + STORAGE.backups)) / GIGABYTE;
