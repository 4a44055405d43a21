import { DAY_MS } from '#lib/service/ground/values/day.ts';
import {
  type Counter,
  type Counts,
  dayOf,
  hasDays,
  isMinute,
  minuteOf,
  partsOf,
  withoutZeros,
} from '#lib/service/ground/counters/counter.ts';
import { safeInteger } from '#lib/service/ground/values/money.ts';

/**
 * A group of numbers that a correction changes together: a day with its minutes, the undated numbers, or the latest
 * click's time. If a total also has daily counts, its part contains only the difference between the total and the sum
 * of its days, which is read at the same time.
 */
export type PartName = string;

const UNDATED: PartName = 'undated';
const LAST_CLICK: PartName = 'last click';
const TOTALS: PartName = 'totals';

/** Numbers by field without zeros, or the time of a click. */
export type Part = Readonly<Record<string, number | string>>;

/** Splits a counter into parts. Numbers beyond the largest safe integer read as that integer. */
export function partsOfCounter(
  counter: Counter,
  { counts, lastClickedAt }: { readonly counts: Counts; readonly lastClickedAt?: string },
  now: Date,
): Map<PartName, Part> {
  const oldest = minuteOf(new Date(now.getTime() - DAY_MS).toISOString());
  const parts = new Map<PartName, Record<string, number | string>>();
  const ofDays = new Map<string, number>();
  const put = (name: PartName, field: string, value: number | string) => {
    const part = parts.get(name) ?? {};
    parts.set(name, part);
    part[field] = value;
  };
  for (const [field, count] of Object.entries(withoutZeros(counts))) {
    const { what, at } = partsOf(field);
    // Minutes are kept for one day.
    if (at === undefined || (isMinute(at) && at <= oldest)) continue;
    put(dayOf(at), field, safeInteger(count));
    if (!isMinute(at)) ofDays.set(what, (ofDays.get(what) ?? 0) + count);
  }
  const totals = Object.keys(counts).filter((field) => partsOf(field).at === undefined);
  for (const what of new Set([...totals, ...ofDays.keys()])) {
    const total = safeInteger(counts[what] ?? 0);
    const isDated = hasDays(counter, what);
    const value = isDated ? total - safeInteger(ofDays.get(what) ?? 0) : total;
    if (value !== 0) put(isDated ? TOTALS : UNDATED, what, value);
  }
  if (lastClickedAt !== undefined) put(LAST_CLICK, 'lastClickedAt', lastClickedAt);
  return parts;
}

/**
 * Fields that differ between the stored and the correct part. Only these fields are written, because a correct number
 * may be beyond the safe integers.
 */
export const wrongFields = (stored: Part, right: Part): string[] =>
  [...new Set([...Object.keys(stored), ...Object.keys(right)])].filter((field) => stored[field] !== right[field]);

/** One field of a part that must change. */
export interface Correction {
  readonly field: string;
  readonly from: number | string | undefined;
  readonly to: number | string | undefined;
}

/**
 * The values to store; undefined removes a field. A total changes together with its days.
 * @param counts of the counter's item
 */
export function corrected(
  counts: Counts,
  corrections: readonly Correction[],
): Record<string, number | string | undefined> {
  const values: Record<string, number | string | undefined> = {};
  const add = (field: string, by: number) =>
    (values[field] = safeInteger(Number(values[field] ?? counts[field] ?? 0) + by));
  for (const { field, from = 0, to = 0 } of corrections) {
    if (field === 'lastClickedAt') {
      values[field] = to === 0 ? undefined : to;
      continue;
    }
    const by = Number(to) - Number(from);
    const { what, at } = partsOf(field);
    add(field, by);
    if (at !== undefined && !isMinute(at)) add(what, by);
  }
  return values;
}

/** The number of days with events. Days with only the end of a hold are not counted. */
export const eventDays = (counts: Counts): number =>
  new Set(
    Object.keys(counts).flatMap((field) => {
      const { what, at } = partsOf(field);
      return at === undefined || isMinute(at) || what === 'pending' ? [] : at;
    }),
  ).size;
