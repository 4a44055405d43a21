import type { Corrected } from '#lib/service/ground/counters/counter-parts.ts';
import type { Day } from '#lib/service/ground/values/day.ts';
import { type Key, keys } from '#lib/service/ground/table/keys.ts';
import { removeItem } from '#lib/service/ground/table/removal.ts';
import type { Table } from '#lib/service/ground/table/table.ts';

/** How far the rebuild of a program's counters is. */
export interface RebuildProgress extends Corrected {
  /** The day on which the rebuild began. */
  readonly day: Day;
  readonly part: string;
  /** The position within the part up to which the work is done. */
  readonly at?: string;
}

/**
 * How long an interrupted rebuild can be continued. After that time it starts from the beginning, because the counters
 * may have lost further counts since.
 */
const LIFE_SECONDS = 24 * 3_600;

const expiry = (now: Date): number => Math.floor(now.getTime() / 1_000) + LIFE_SECONDS;

export const findProgress = async (table: Table, programId: number): Promise<RebuildProgress | undefined> =>
  table.get<RebuildProgress>(keys.rebuild(programId));

export const storeProgress = (table: Table, programId: number, progress: RebuildProgress, now: Date): Promise<void> =>
  table.put(keys.rebuild(programId), { ...progress, expires_at: expiry(now) });

export const removeProgress = (table: Table, programId: number): Promise<void> =>
  removeItem(table, keys.rebuild(programId));

/** The last program that a rebuild of all programs has completed; undefined if no such rebuild is in progress. */
export const programsDone = async (table: Table): Promise<number | undefined> =>
  (await table.get<{ programId: number }>(keys.rebuildAll))?.programId;

export const storeProgramsDone = (table: Table, programId: number, now: Date): Promise<void> =>
  table.put(keys.rebuildAll, { programId, expires_at: expiry(now) });

export const removeProgramsDone = (table: Table): Promise<void> => removeItem(table, keys.rebuildAll);

/** A rebuild that did not correct some fields because they kept changing. It is repeated when the day is over. */
export interface DueRebuild {
  readonly day: Day;
  readonly programId: number;
  /**
   * The first day whose clicks the repeated rebuild recounts. Undefined if it must recount the clicks of all days,
   * because some clicks of earlier days were not corrected.
   */
  readonly clicksSince?: Day;
  /** How many runs have started the rebuild. */
  readonly tries: number;
}

const keyOf = ({ day, programId }: Pick<DueRebuild, 'day' | 'programId'>): Key => keys.dueRebuild(day, programId);

export const storeDueRebuild = (table: Table, due: DueRebuild): Promise<void> => table.put(keyOf(due), due);

export const removeDueRebuild = (table: Table, due: DueRebuild): Promise<void> => removeItem(table, keyOf(due));

/** The due rebuilds of days before today, those with the fewest tries first. */
export async function dueRebuilds(table: Table, today: Day, most: number): Promise<DueRebuild[]> {
  const found = await table.query<DueRebuild>(keyOf({ day: '', programId: 0 }).pk, { most });
  return found.filter(({ day }) => day < today).toSorted((one, other) => one.tries - other.tries);
}
