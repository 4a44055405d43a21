import { DAY_MS } from '#lib/service/ground/values/day.ts';
import {
  type Counter,
  type Counts,
  hasDays,
  isMinute,
  minuteOf,
  partsOf,
  withoutZeros,
} from '#lib/service/ground/counters/counter.ts';
import { safeInteger } from '#lib/service/ground/values/money.ts';

/** Whether a field counts a minute that reports no longer need. Minutes are kept for one day. */
export function isOutdated(field: string, now: Date): boolean {
  const { at = '' } = partsOf(field);
  return isMinute(at) && at <= minuteOf(new Date(now.getTime() - DAY_MS).toISOString());
}

/**
 * Whether the compared number of a field is the difference between a total and the sum of its days. This difference
 * must be 0.
 */
export function isExcess(counter: Counter, field: string): boolean {
  const { what, at } = partsOf(field);
  return at === undefined && hasDays(counter, what);
}

/**
 * The numbers of a counter that a rebuild compares, by field, without zeros. For a total that also has daily counts,
 * the compared number is the total minus the sum of its days: both are read together, so it must be 0. Numbers beyond
 * the largest safe integer count as that integer.
 */
export function comparedCounts(counter: Counter, counts: Counts, now: Date): Counts {
  const compared: Record<string, number> = {};
  const ofDays: Record<string, number> = {};
  for (const [field, count] of Object.entries(counts)) {
    const { what, at } = partsOf(field);
    if (at === undefined || isOutdated(field, now)) continue;
    compared[field] = safeInteger(count);
    if (!isMinute(at)) ofDays[what] = (ofDays[what] ?? 0) + count;
  }
  const totals = Object.keys(counts).filter((field) => partsOf(field).at === undefined);
  for (const what of new Set([...totals, ...Object.keys(ofDays)])) {
    const total = safeInteger(counts[what] ?? 0);
    compared[what] = isExcess(counter, what) ? total - safeInteger(ofDays[what] ?? 0) : total;
  }
  return withoutZeros(compared);
}

/** A field of a counter whose number must be corrected. */
export interface Correction {
  readonly field: string;
  readonly from: number;
  readonly to: number;
}

/**
 * The corrected numbers to store. If a day is corrected, its total changes by the same amount.
 * @param counts the numbers in the counter's item
 */
export function corrected(counts: Counts, corrections: readonly Correction[]): Counts {
  const values: Record<string, number> = {};
  const add = (field: string, by: number) => (values[field] = safeInteger((values[field] ?? counts[field] ?? 0) + by));
  for (const { field, from, to } of corrections) {
    const { what, at } = partsOf(field);
    add(field, to - from);
    if (at !== undefined && !isMinute(at)) add(what, to - from);
  }
  return values;
}

/** The result of comparing counters with the events, as numbers of fields. */
export interface Corrected {
  readonly corrected: number;
  /**
   * Fields whose counts changed during the comparison: in `open` those of days that are not over, in `unsettled` all
   * others.
   */
  readonly open: number;
  readonly unsettled: number;
}

/** The number of days with events. A day on which only hold periods end is not counted. */
export const eventDays = (counts: Counts): number =>
  new Set(
    Object.entries(counts).flatMap(([field, count]) => {
      const { what, at } = partsOf(field);
      return at === undefined || isMinute(at) || what === 'pending' || count === 0 ? [] : at;
    }),
  ).size;
