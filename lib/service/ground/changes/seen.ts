import { canonical } from '#lib/service/ground/changes/audit.ts';

/** Values of fields by their wire names. */
export type Values = Readonly<Record<string, unknown>>;

/**
 * Compares the present state of an object with the values that the caller has read.
 * @returns present values that differ, by field
 */
export type Comparison<Thing> = (present: Thing) => Values;

/** The last change of something. `at` is ISO 8601. */
export interface LastChange {
  readonly at: string;
  /** Who made the last change; undefined if the service itself made it. */
  readonly by?: string;
}

/**
 * Fields whose present value differs from the value that the caller saw.
 * @param inParts fields whose entries change separately: only the entries that were seen are compared
 */
export const changedSince = (seen: Values, present: Values, inParts: readonly string[] = []): Values =>
  Object.fromEntries(
    Object.entries(seen).flatMap(([field, value]) => {
      const now = present[field];
      const compared = inParts.includes(field) ? partOf(now, value) : now;
      return canonical(textOrNull(compared)) === canonical(textOrNull(value)) ? [] : [[field, now]];
    }),
  );

/** Converts an empty text to null. Replies show it as null, so both count as equal. */
const textOrNull = (value: unknown): unknown => (value === '' || value === undefined ? null : value);

/** The entries of one object whose names another object has, too. */
export const partOf = (whole: unknown, part: unknown): unknown =>
  isObject(whole) && isObject(part) ? Object.fromEntries(Object.keys(part).map((name) => [name, whole[name]])) : whole;

const isObject = (value: unknown): value is Values => typeof value === 'object' && value !== null;
