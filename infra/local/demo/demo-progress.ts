import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { reserveIds } from '#lib/service/ground/counters/sequence-items.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';

/** Progress of the demo's history, stored in the table so that a restart can continue. */
export interface Progress {
  readonly endsAt: string;
  readonly firstId: number;
  /** Number of steps in the completed days. */
  readonly played: number;
  readonly isComplete: boolean;
}

export const IDS_A_STEP = 4;
/** Upper limit of steps in a plan. Their ids are reserved; the service's next ids follow them. */
export const MOST_STEPS = 2_500;

/** Marks a table whose demo needs a history that ends now. */
export async function beginHistory({ table, now }: Deps): Promise<void> {
  const firstId = await reserveIds(table, IDS_A_STEP * MOST_STEPS);
  const progress: Progress = { endsAt: now.toISOString(), firstId, played: 0, isComplete: false };
  await table.put(keys.demoHistory, progress);
}

/** The progress of a history that is not complete yet. */
export async function findProgress(table: Table): Promise<Progress | undefined> {
  const progress = await table.get<Progress>(keys.demoHistory);
  return progress?.isComplete ? undefined : progress;
}
