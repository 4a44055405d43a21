import type { Entered } from '#lib/apps/web/forms/entered.ts';
import { isSame } from '#lib/apps/web/forms/send-seen.ts';

/** What the person entered, by name of the input; undefined for an unchecked checkbox. */
export type Entries = ReadonlyMap<string, string | undefined>;

/**
 * After a conflict, returns what the person entered, except in fields for which the other person's values are kept. One
 * field of the API may have several inputs.
 * @param fieldsIn converts what was entered to fields of the API
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
