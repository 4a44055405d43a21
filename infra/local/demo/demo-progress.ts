import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { reserveIds } from '#lib/service/ground/counters/sequence-items.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';

/** How much of the demo's history exists. The progress is stored in the table, so that a restart can continue. */
export interface Progress {
  readonly endsAt: string;
  readonly firstId: number;
  /** Number of steps in the days that are complete. */
  readonly played: number;
  readonly isComplete: boolean;
}

export const IDS_A_STEP = 4;
/**
 * Maximum number of steps in a history. At the beginning, ids are reserved for all of them, so other ids come after
 * these.
 */
export const MOST_STEPS = 2_500;

/** Records in the table that the demo needs a history that ends now. */
export async function beginHistory({ table, now }: Deps): Promise<void> {
  const firstId = await reserveIds(table, IDS_A_STEP * MOST_STEPS);
  const progress: Progress = { endsAt: now.toISOString(), firstId, played: 0, isComplete: false };
  await table.put(keys.demoHistory, progress);
}

/** The progress of the history; undefined if the history is complete. */
export async function findProgress(table: Table): Promise<Progress | undefined> {
  const progress = await table.get<Progress>(keys.demoHistory);
  return progress?.isComplete ? undefined : progress;
}
