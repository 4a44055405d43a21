/** Everything that is counted of a program, of a partner in it, or of a link; the money of a customer, the payments of a code. */
export type Counter =
  | { readonly of: 'program'; readonly programId: number }
  | { readonly of: 'partner'; readonly programId: number; readonly partnerId: number }
  | { readonly of: 'link'; readonly shortLink: string }
  | { readonly of: 'customer'; readonly clickId: string }
  | { readonly of: 'code'; readonly programId: number; readonly code: string };

/**
 * Numbers by their field; one that is absent is 0. A field is a total since ever (`clicks`, `revenueUSD` in cents), or
 * the part of it that belongs to a day (`clicks@2026-11-20`) or to a minute (`clicks@2026-11-20T15:04`), in UTC.
 */
export type Counts = Readonly<Record<string, number>>;

/** Numbers to add to a counter, or its present numbers. */
export interface CounterIncrement {
  readonly counter: Counter;
  readonly counts: Counts;
}

/** Unique per counter. A short link comes last, so it cannot reach into another part. */
export function counterId(counter: Counter): string {
  if (counter.of === 'link') return `LINK#${counter.shortLink}`;
  if (counter.of === 'customer') return `CUSTOMER#${counter.clickId}`;
  if (counter.of === 'code') return `CODE#${counter.programId}#${counter.code}`;
  return counter.of === 'program'
    ? `PROGRAM#${counter.programId}`
    : `PARTNER#${counter.programId}#${counter.partnerId}`;
}

/** The sums of several counts. */
export function mergedCounts(all: Iterable<Counts>): Counts {
  const sum: Record<string, number> = {};
  for (const counts of all) for (const [field, count] of Object.entries(counts)) sum[field] = (sum[field] ?? 0) + count;
  return sum;
}

export const withoutZeros = (counts: Counts): Counts =>
  Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0));

/** First clicks that a change adds to a minute of a link; less one, where a click turns out to be a bot's. */
export interface FirstClicksChange {
  readonly programId: number;
  readonly shortLink: string;
  readonly minute: string;
  readonly by: number;
}

/** Numbers of first clicks of a link, by minute (`2026-11-20T15:04`, UTC). */
export type FirstClicks = Readonly<Record<string, number>>;

/** Whether the parts of a total that belong to days are counted, too. */
export const hasDays = ({ of }: Counter, what: string): boolean =>
  of !== 'customer' && of !== 'code' && !what.startsWith('paidOut');

/** Of a field: its total's name, and the day or minute; undefined for a total. */
export function partsOf(field: string): { readonly what: string; readonly at?: string } {
  const [what = '', at] = field.split('@');
  return { what, at };
}

// Times are ISO 8601 in UTC, so their beginnings are the names of months, days, hours and minutes, and sort by time.
export const dayOf = (at: string): string => at.slice(0, 10);
export const hourOf = (at: string): string => at.slice(0, 13);
export const minuteOf = (at: string): string => at.slice(0, 16);

/** Whether a time is a minute, not a day. */
export const isMinute = (at: string): boolean => at.length > dayOf(at).length;
