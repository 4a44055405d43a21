import { DAY_MS } from '#lib/service/ground/values/day.ts';
import type { Day } from '#lib/service/ground/values/day.ts';
import { HOUR_MS, minuteField, type Visits } from '#lib/service/traffic/clicks/visits.ts';
import { type Key, keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';

/** How long an item is stored from the beginning of its day: clicks in the next day's first hour still read it. */
const KEPT_MS = DAY_MS + 2 * HOUR_MS;

/**
 * The key of the item with the visits of one network on one day.
 * @param networkHash the network, hashed with the salt of the day
 */
export const visitsKey = (group: string, networkHash: string, day: Day): Key =>
  keys.rateWindow(group, `ip:${networkHash}`, Date.parse(day) / 1_000);

export const findVisits = (table: Table, key: Key): Promise<Visits | undefined> => table.get<Visits>(key);

/**
 * Adds a click to the number of clicks in its minute. Also stores when the visitor was first seen, if the item does not
 * contain this yet.
 * @returns all visits of the day
 */
export const addVisit = (
  table: Table,
  key: Key,
  { now, day, mark }: { readonly now: Date; readonly day: Day; readonly mark?: Readonly<Record<string, number>> },
): Promise<Visits> =>
  table.update<Visits>(
    key,
    {
      set: { expires_at: (Date.parse(day) + KEPT_MS) / 1_000 },
      setOnce: mark,
      add: { [minuteField(now, day)]: 1 },
    },
    undefined,
    'ALL_NEW',
  );

/**
 * Replaces the stored mark that shows when one visitor was first seen, and removes fields that are no longer needed.
 * @throws ConditionFailed if a concurrent click of the same visitor has just stored its mark
 */
export const tidyVisits = async (
  table: Table,
  key: Key,
  set: Readonly<Record<string, number | undefined>>,
  present: Readonly<Record<string, unknown>>,
): Promise<void> => {
  await table.update(key, { set }, { exists: true, equals: present });
};
