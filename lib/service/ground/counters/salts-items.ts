import { DAY_MS } from '#lib/service/ground/values/day.ts';
import type { Day } from '#lib/service/ground/values/day.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';

interface Salt {
  readonly salt: string;
}

/** How long the salt of a day is kept: it is still needed in the first hour of the next day. */
const KEPT_MS = 2 * DAY_MS;

export const findSalt = async (table: Table, day: Day): Promise<string | undefined> =>
  (await table.get<Salt>(keys.salt(day)))?.salt;

/**
 * Stores a proposed salt for a day, unless there is one. If several containers propose one, all of them get the first.
 * @returns the salt of the day
 */
export async function agreeOnSalt(table: Table, day: Day, proposed: string): Promise<string> {
  const { salt } = await table.update<Salt>(keys.salt(day), {
    setOnce: { salt: proposed },
    set: { expires_at: (Date.parse(day) + KEPT_MS) / 1_000 },
  });
  return salt;
}
