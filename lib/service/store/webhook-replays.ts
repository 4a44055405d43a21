import { FACT_DAYS, type FactType } from '#lib/domain/fact.ts';
import { factKeys } from '#lib/service/store/keys.ts';
import { removeItem } from '#lib/service/store/removal.ts';
import type { Table } from '#lib/service/store/table.ts';

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
}

/** Leaves a replay to the sender. Whoever calls this wakes the endpoint afterwards. */
export const putReplay = (table: Table, replay: Replay, now: Date): Promise<void> =>
  table.put(factKeys.replay(replay.endpointId, replay.id), {
    ...replay,
    expires_at: Math.ceil(now.getTime() / 1_000) + FACT_DAYS * DAY_SECONDS,
  });

/** One of the replays of an endpoint that are not all queued. */
export async function firstReplay(table: Table, endpointId: number): Promise<Replay | undefined> {
  const [first] = await table.query<Replay>(factKeys.replay(endpointId, '').pk, { most: 1 });
  return first;
}

/** Notes up to which fact a replay is queued. One that is over stays so: another sender was faster. */
export const advanceReplay = (table: Table, { endpointId, id }: Replay, after: string): Promise<unknown> =>
  table.update(factKeys.replay(endpointId, id), { set: { after } }, { exists: true });

export const endReplay = (table: Table, { endpointId, id }: Replay): Promise<void> =>
  removeItem(table, factKeys.replay(endpointId, id));
