import { FACT_DAYS, type FactType } from '#lib/service/outbox/facts/fact.ts';
import { factKeys } from '#lib/service/ground/table/keys.ts';
import { removeItem } from '#lib/service/ground/table/removal.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import { ConditionFailed, type Write } from '#lib/service/ground/table/writes.ts';

const DAY_SECONDS = 86_400;

/** A replay in progress: facts of some days that are sent to an endpoint again. Times are ISO 8601. */
export interface Replay {
  readonly endpointId: number;
  /** The id of the replay. It is unique among the replays to its endpoint. */
  readonly id: string;
  readonly from: string;
  /** The end of the replayed range, exclusive. */
  readonly to: string;
  /** The event type to replay; undefined = all types that the endpoint subscribes to. */
  readonly type?: FactType;
  /** The id of the last queued fact. */
  readonly after?: string;
  /** Set when all facts are queued. The replay ends when each of them has been attempted once. */
  readonly isQueued?: boolean;
}

type StoredReplay = Replay & { readonly expires_at: number };

/**
 * Stores a replay for the sender. The caller must call `wakeEndpoint` afterwards.
 * @param former an expired replay, which this one replaces
 */
export const replayWrite = (replay: Replay, now: Date, former?: Replay): Write => ({
  name: 'replay',
  key: factKeys.replay(replay.endpointId),
  put: { ...replay, expires_at: Math.ceil(now.getTime() / 1_000) + FACT_DAYS * DAY_SECONDS } satisfies StoredReplay,
  // An endpoint has at most one replay. If two requests start one, the second one is refused.
  condition: { equals: { id: former?.id } },
});

/** The replay of an endpoint, running or expired. */
export async function findReplay(table: Table, endpointId: number): Promise<StoredReplay | undefined> {
  const [replay] = await table.query<StoredReplay>(factKeys.replay(endpointId).pk, { most: 1 });
  return replay;
}

export const isUnderWay = (replay: StoredReplay | undefined, now: Date): boolean =>
  replay !== undefined && replay.expires_at > now.getTime() / 1_000;

/** Stores up to which fact a replay is queued. Does nothing if another sender has ended the replay. */
export const advanceReplay = (
  table: Table,
  { endpointId, id }: Replay,
  set: Pick<Replay, 'after' | 'isQueued'>,
): Promise<void> => unlessOver(() => table.update(factKeys.replay(endpointId), { set }, { equals: { id } }));

export const endReplay = (table: Table, { endpointId, id }: Replay): Promise<void> =>
  unlessOver(() => removeItem(table, factKeys.replay(endpointId), { equals: { id } }));

/**
 * Makes a write and ignores a failed condition, which means that another sender has ended the replay. Another replay
 * may have started since.
 */
async function unlessOver(write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
}
