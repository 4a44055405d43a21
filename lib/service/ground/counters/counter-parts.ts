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

/** Whether a field is for a minute that reports no longer need: minutes are kept for one day. */
export function isOutdated(field: string, now: Date): boolean {
  const { at = '' } = partsOf(field);
  return isMinute(at) && at <= minuteOf(new Date(now.getTime() - DAY_MS).toISOString());
}

/** Whether the number compared in a field is what a total exceeds the sum of its days by, which must be 0. */
export function isExcess(counter: Counter, field: string): boolean {
  const { what, at } = partsOf(field);
  return at === undefined && hasDays(counter, what);
}

/**
 * A counter's numbers as a rebuild compares them, by field, without zeros. A total that also has daily counts is
 * compared with the sum of its days, read at the same time: its number here is what it exceeds that sum by. Numbers
 * beyond the largest safe integer read as that integer.
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

/** One field that must change. */
export interface Correction {
  readonly field: string;
  readonly from: number;
  readonly to: number;
}

/**
 * The values to store. A total changes together with its days.
 * @param counts of the counter's item
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

/** The result of comparing counters with the events: numbers of fields. */
export interface Corrected {
  readonly corrected: number;
  /** Fields that changed meanwhile, of days that are not over and of others. */
  readonly open: number;
  readonly unsettled: number;
}

/** The number of days with events. Days with only the end of a hold are not counted. */
export const eventDays = (counts: Counts): number =>
  new Set(
    Object.entries(counts).flatMap(([field, count]) => {
      const { what, at } = partsOf(field);
      return at === undefined || isMinute(at) || what === 'pending' || count === 0 ? [] : at;
    }),
  ).size;
