import { canonical } from '#lib/service/ground/changes/audit.ts';

/** Values of fields by their names in the API. */
export type Values = Readonly<Record<string, unknown>>;

/**
 * A function that compares the present state of an object with the values that the caller has read.
 * @returns the present values that differ, by field
 */
export type Comparison<Thing> = (present: Thing) => Values;

/** The last change of an object. `at` is ISO 8601. */
export interface LastChange {
  readonly at: string;
  /** Who made the last change; undefined if the service itself made it. */
  readonly by?: string;
}

/**
 * Fields whose present value differs from the value that the caller saw.
 * @param inParts fields that consist of entries which change separately; only the entries that the caller saw are
 * compared
 */
export const changedSince = (seen: Values, present: Values, inParts: readonly string[] = []): Values =>
  Object.fromEntries(
    Object.entries(seen).flatMap(([field, value]) => {
      const now = present[field];
      const compared = inParts.includes(field) ? partOf(now, value) : now;
      return canonical(textOrNull(compared)) === canonical(textOrNull(value)) ? [] : [[field, now]];
    }),
  );

/** Replies show an empty text as null, so the two count as equal and the text is converted to null. */
const textOrNull = (value: unknown): unknown => (value === '' || value === undefined ? null : value);

/** The entries of `whole` whose names also occur in `part`. */
export const partOf = (whole: unknown, part: unknown): unknown =>
  isObject(whole) && isObject(part) ? Object.fromEntries(Object.keys(part).map((name) => [name, whole[name]])) : whole;

const isObject = (value: unknown): value is Values => typeof value === 'object' && value !== null;
