import { MOST_APPLICATIONS_OF_A_SOURCE } from '#lib/service/programs/joining/application-queue.ts';
import type { Day } from '#lib/service/ground/values/day.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

/** How long these counters are stored: two days, like the salt of the day, with which networks are hashed. */
const KEPT_SECONDS = 2 * 86_400;

/**
 * The number of applications that a program received from one source on a day.
 * @param source a hash of a network, or a mail domain
 */
export const findApplicationCount = async (
  table: Table,
  programId: number,
  day: Day,
  source: string,
): Promise<number> =>
  (await table.get<{ readonly count: number }>(keys.applicationSource(programId, day, source)))?.count ?? 0;

export const applicationSourceWrite = (programId: number, day: Day, source: string): Write => ({
  name: source,
  key: keys.applicationSource(programId, day, source),
  change: { add: { count: 1 }, set: { expires_at: Date.parse(day) / 1_000 + KEPT_SECONDS } },
  // Fails if other applications took the day's last place first. This application then waits in the queue.
  condition: { below: { count: MOST_APPLICATIONS_OF_A_SOURCE } },
});
