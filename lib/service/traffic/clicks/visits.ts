import type { Day } from '#lib/service/ground/values/day.ts';

/**
 * The clicks of one network on one day. `m<minute of the day>` is the number of clicks in that minute, for the rate
 * limit. `v<hash>` is the mark of a visitor: the time at which the visitor was first seen. It is valid for one hour.
 */
export type Visits = Readonly<Record<string, unknown>>;

const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;

/**
 * Limits that keep the size of an item near 1 KB. If an item has this many marks, all but the newest are removed. If it
 * has this many minutes, all earlier minutes are removed.
 */
export const MOST_MARKS = 40;
const MARKS_LEFT = 25;
export const MOST_MINUTES = 20;

/**
 * A mark consists of the milliseconds of the day and a random part, which distinguishes clicks in the same millisecond.
 * This is the number of different random parts. Multiplied by it, the milliseconds of a day are still an exact integer.
 */
const TIES = 100_000_000;

const MARK_CHARACTERS = 6;

/** The name of the field that contains a visitor's mark. @param hash hash of network, link and user agent */
export const markField = (hash: string): string => `v${hash.slice(0, MARK_CHARACTERS)}`;
export const minuteField = (now: Date, day: Day): string => `m${Math.floor(msOf(now, day) / MINUTE_MS)}`;

/** A mark for the present time. @param tie a random number from 0 to 1 */
export const markOf = (now: Date, day: Day, tie: number): number => msOf(now, day) * TIES + Math.floor(tie * TIES);

const msOf = (time: Date, day: Day): number => time.getTime() - Date.parse(day);

/** Where the mark of a visitor is stored. */
export interface Mark {
  readonly day: Day;
  readonly field: string;
}

interface VisitNow extends Mark {
  /** The visits of the day, including this click. */
  readonly visits: Visits;
  /** The mark that this click stores if the visitor has none. */
  readonly own: number;
  /** The visits of the previous day. They are only set in the first hour of a day. */
  readonly before?: Mark & { readonly visits: Visits };
}

export interface SeenVisitor {
  /** Whether the same visitor was first seen less than one hour ago. */
  readonly isRepeat: boolean;
  /** The mark to store in place of the present one; undefined if the present one stays. */
  readonly mark?: number;
}

/** Decides whether the same visitor used the link before, within the hour that began with the visitor's first click. */
export function seenVisitor({ visits, day, field, own, before }: VisitNow, now: Date): SeenVisitor {
  const present = Number(visits[field]);
  const isRecent = (mark: number, of: Day) => Math.abs(msOf(now, of) - Math.floor(mark / TIES)) < HOUR_MS;
  if (present !== own) return isRecent(present, day) ? { isRepeat: true } : { isRepeat: false, mark: own };
  const earlier = before && Number(before.visits[before.field]);
  if (!earlier || !isRecent(earlier, before.day)) return { isRepeat: false };
  return { isRepeat: true, mark: earlier - (Date.parse(day) - Date.parse(before.day)) * TIES };
}

/**
 * Returns the fields to remove from an item that has reached its limits: all marks but the newest ones, or all minutes.
 * @param kept fields that must stay
 */
export function spareFields(visits: Visits, kept: readonly string[]): string[] {
  const fields = Object.keys(visits).filter((field) => !kept.includes(field));
  const marks = fields.filter((field) => field.startsWith('v'));
  const minutes = fields.filter((field) => field.startsWith('m'));
  return [
    ...(marks.length < MOST_MARKS
      ? []
      : marks.toSorted((a, b) => Number(visits[a]) - Number(visits[b])).slice(0, -MARKS_LEFT)),
    ...(minutes.length < MOST_MINUTES ? [] : minutes),
  ];
}
