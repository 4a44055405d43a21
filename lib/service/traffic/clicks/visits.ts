import type { Day } from '#lib/service/ground/values/day.ts';

/**
 * The clicks of one network on one day. `m<minute of the day>`: how many came in it, for the limit. `v<hash>`: a mark, when
 * a visitor was first seen, for an hour.
 */
export type Visits = Readonly<Record<string, unknown>>;

const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;

/** Marks and minutes in one item, which together stay near 1 KB; above that the older ones go. */
export const MOST_MARKS = 40;
const MARKS_LEFT = 25;
export const MOST_MINUTES = 20;

/** A mark tells clicks of the same millisecond apart, so that each knows its own: a day of milliseconds times this is exact. */
const TIES = 100_000_000;

const MARK_CHARACTERS = 6;

/** @param hash of network, link and user agent */
export const markField = (hash: string): string => `v${hash.slice(0, MARK_CHARACTERS)}`;
export const minuteField = (now: Date, day: Day): string => `m${Math.floor(msOf(now, day) / MINUTE_MS)}`;

/** @param tie from 0 to 1, random */
export const markOf = (now: Date, day: Day, tie: number): number => msOf(now, day) * TIES + Math.floor(tie * TIES);

const msOf = (time: Date, day: Day): number => time.getTime() - Date.parse(day);

/** A visitor's mark. */
export interface Mark {
  readonly day: Day;
  readonly field: string;
}

interface VisitNow extends Mark {
  /** After this click was counted. */
  readonly visits: Visits;
  /** What this click would have put as its mark. */
  readonly own: number;
  /** The day before, in its last hour. */
  readonly before?: Mark & { readonly visits: Visits };
}

export interface SeenVisitor {
  /** The same visitor was first seen less than an hour ago. */
  readonly isRepeat: boolean;
  /** The mark that has to take the place of the present one. */
  readonly mark?: number;
}

/** An hour counts from the first of its clicks. */
export function seenVisitor({ visits, day, field, own, before }: VisitNow, now: Date): SeenVisitor {
  const present = Number(visits[field]);
  const isRecent = (mark: number, of: Day) => Math.abs(msOf(now, of) - Math.floor(mark / TIES)) < HOUR_MS;
  if (present !== own) return isRecent(present, day) ? { isRepeat: true } : { isRepeat: false, mark: own };
  const earlier = before && Number(before.visits[before.field]);
  if (!earlier || !isRecent(earlier, before.day)) return { isRepeat: false };
  return { isRepeat: true, mark: earlier - (Date.parse(day) - Date.parse(before.day)) * TIES };
}

/** The fields that an item has too many of, the oldest ones. @param kept stays */
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
