/**
 * Identifies a counter. The counter of a program, partner or link counts all its events; that of a customer counts only
 * money, and that of a coupon code only payments.
 */
export type Counter =
  | { readonly of: 'program'; readonly programId: number }
  | { readonly of: 'partner'; readonly programId: number; readonly partnerId: number }
  | { readonly of: 'link'; readonly shortLink: string }
  | { readonly of: 'customer'; readonly clickId: string }
  | { readonly of: 'code'; readonly programId: number; readonly code: string };

/**
 * Numbers by field; a missing field is 0. All-time totals have names such as `clicks`, or `revenueUSD` in cents. Totals
 * of a day or a minute (UTC) also contain the time: `clicks@2026-11-20`, `clicks@2026-11-20T15:04`.
 */
export type Counts = Readonly<Record<string, number>>;

/**
 * The names of all numbers, other than amounts of money, that are counted for programs, partners and links. `clicks`
 * include `repeatClicks`, but not the clicks of bots and link previews, which are counted as `botClicks`. The table
 * uses these names. What is read, summed up and shown in replies and in the API's documentation derives from this list,
 * in its order.
 */
export const countNames = ['clicks', 'botClicks', 'repeatClicks', 'leads', 'sales'] as const;
export type CountName = (typeof countNames)[number];
export type NamedCounts = Readonly<Record<CountName, number>>;

export const eachCount = (numberOf: (name: CountName) => number): NamedCounts =>
  Object.fromEntries(countNames.map((name) => [name, numberOf(name)])) as NamedCounts;

/** Numbers to add to a counter, or its current numbers. */
export interface CounterIncrement {
  readonly counter: Counter;
  readonly counts: Counts;
}

/** A unique id of a counter. The short link comes last: it is free text and could be confused with another part. */
export function counterId(counter: Counter): string {
  if (counter.of === 'link') return `LINK#${counter.shortLink}`;
  if (counter.of === 'customer') return `CUSTOMER#${counter.clickId}`;
  if (counter.of === 'code') return `CODE#${counter.programId}#${counter.code}`;
  return counter.of === 'program'
    ? `PROGRAM#${counter.programId}`
    : `PARTNER#${counter.programId}#${counter.partnerId}`;
}

/** Adds several counts together. */
export function mergedCounts(all: Iterable<Counts>): Counts {
  const sum: Record<string, number> = {};
  for (const counts of all) for (const [field, count] of Object.entries(counts)) sum[field] = (sum[field] ?? 0) + count;
  return sum;
}

export const withoutZeros = (counts: Counts): Counts =>
  Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0));

/** A change of the number of first clicks in one minute of a link. It is -1 if a click turns out to be a bot's. */
export interface FirstClicksChange {
  readonly programId: number;
  readonly shortLink: string;
  readonly minute: string;
  readonly by: number;
}

/** The number of first clicks of a link in each minute (`2026-11-20T15:04`, UTC). */
export type FirstClicks = Readonly<Record<string, number>>;

/** Whether a total is also counted by day. */
export const hasDays = ({ of }: Counter, what: string): boolean =>
  of !== 'customer' && of !== 'code' && !what.startsWith('paidOut');

/** Splits the name of a field into its total and its day or minute; `at` is undefined for a total. */
export function partsOf(field: string): { readonly what: string; readonly at?: string } {
  const [what = '', at] = field.split('@');
  return { what, at };
}

// These functions cut an ISO 8601 time in UTC to its month, day, hour or minute. The results sort by time.
export const dayOf = (at: string): string => at.slice(0, 10);
export const hourOf = (at: string): string => at.slice(0, 13);
export const minuteOf = (at: string): string => at.slice(0, 16);

/** Whether a dated field is for a minute rather than a day. */
export const isMinute = (at: string): boolean => at.length > dayOf(at).length;
