import type { Entered } from '#lib/apps/web/forms/entered.ts';
import { isSame } from '#lib/apps/web/forms/send-seen.ts';

/** Form entries by name; undefined for an unchecked checkbox. */
export type Entries = ReadonlyMap<string, string | undefined>;

/**
 * The person's entries, except those of fields for which the other person's values are kept. A field may consist of
 * several entries.
 * @param fieldsIn converts entries to fields
 */
export function enteredBeside(
  kept: readonly string[],
  entered: Entered,
  before: Entered,
  fieldsIn: (entered: Entered) => Readonly<Record<string, unknown>>,
): Entries {
  const fieldsBefore = fieldsIn(before);
  const names = [...new Set([...Object.keys(entered), ...Object.keys(before)])];
  const changed = names.filter((name) => entered[name] !== before[name]);
  const others = changed.filter((name) => {
    const alone = fieldsIn(Object.fromEntries(Object.entries({ ...before, [name]: entered[name] }).filter(isThere)));
    return kept.every((field) => isSame(alone[field], fieldsBefore[field]));
  });
  return new Map(others.map((name) => [name, entered[name]]));
}

const isThere = (entry: [string, string | undefined]): entry is [string, string] => entry[1] !== undefined;
