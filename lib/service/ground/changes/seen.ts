import { canonical } from '#lib/service/ground/changes/audit.ts';

/** Values of fields, by the names that they have on the wire. */
export type Values = Readonly<Record<string, unknown>>;

/** Compares a thing as it is with what somebody saw of it. @returns what is another value now, by field */
export type Comparison<Thing> = (present: Thing) => Values;

/** Who changed something last. `at` is ISO 8601. */
export interface LastChange {
  readonly at: string;
  /** Absent: the service itself. */
  readonly by?: string;
}

/**
 * What differs by now from what somebody saw.
 * @param inParts fields of which a change names some entries and leaves the others: only those that were seen count
 */
export const changedSince = (seen: Values, present: Values, inParts: readonly string[] = []): Values =>
  Object.fromEntries(
    Object.entries(seen).flatMap(([field, value]) => {
      const now = present[field];
      const compared = inParts.includes(field) ? partOf(now, value) : now;
      return canonical(textOrNull(compared)) === canonical(textOrNull(value)) ? [] : [[field, now]];
    }),
  );

/** An empty text is none: what has no text is told as null. */
const textOrNull = (value: unknown): unknown => (value === '' || value === undefined ? null : value);

/** The entries of an object that another one has, too. */
export const partOf = (whole: unknown, part: unknown): unknown =>
  isObject(whole) && isObject(part) ? Object.fromEntries(Object.keys(part).map((name) => [name, whole[name]])) : whole;

const isObject = (value: unknown): value is Values => typeof value === 'object' && value !== null;
