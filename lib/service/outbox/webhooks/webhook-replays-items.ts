import { FACT_DAYS, type FactType } from '#lib/service/outbox/facts/fact.ts';
import { factKeys } from '#lib/service/ground/table/keys.ts';
import { removeItem } from '#lib/service/ground/table/removal.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import { ConditionFailed, type Write } from '#lib/service/ground/table/writes.ts';

const DAY_SECONDS = 86_400;

/** Facts that are still to be sent to an endpoint again. Times are ISO 8601. */
export interface Replay {
  readonly endpointId: number;
  /** Unlike that of every other one of the endpoint. */
  readonly id: string;
  readonly from: string;
  /** Excluded. */
  readonly to: string;
  /** Absent: all that the endpoint wants. */
  readonly type?: FactType;
  /** Id of the last fact that is queued. */
  readonly after?: string;
  /** All are queued. The replay is over when they have been sent once. */
  readonly isQueued?: boolean;
}

type StoredReplay = Replay & { readonly expires_at: number };

/**
 * Leaves a replay to the sender. Whoever writes this wakes the endpoint afterwards.
 * @param former what is left of one that has expired
 */
export const replayWrite = (replay: Replay, now: Date, former?: Replay): Write => ({
  name: 'replay',
  key: factKeys.replay(replay.endpointId),
  put: { ...replay, expires_at: Math.ceil(now.getTime() / 1_000) + FACT_DAYS * DAY_SECONDS } satisfies StoredReplay,
  // An endpoint has one at a time: of two at once the loser is refused.
  condition: { equals: { id: former?.id } },
});

/** The replay of an endpoint, over or not. */
export async function findReplay(table: Table, endpointId: number): Promise<StoredReplay | undefined> {
  const [replay] = await table.query<StoredReplay>(factKeys.replay(endpointId).pk, { most: 1 });
  return replay;
}

export const isUnderWay = (replay: StoredReplay | undefined, now: Date): boolean =>
  replay !== undefined && replay.expires_at > now.getTime() / 1_000;

/** Notes up to which fact a replay is queued. One that is over stays so: another sender was faster. */
export const advanceReplay = (
  table: Table,
  { endpointId, id }: Replay,
  set: Pick<Replay, 'after' | 'isQueued'>,
): Promise<void> => unlessOver(() => table.update(factKeys.replay(endpointId), { set }, { equals: { id } }));

export const endReplay = (table: Table, { endpointId, id }: Replay): Promise<void> =>
  unlessOver(() => removeItem(table, factKeys.replay(endpointId), { equals: { id } }));

/** Another sender may have ended it, and another replay may have begun since. */
async function unlessOver(write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
}
