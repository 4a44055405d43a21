import { keys } from '#lib/service/store/keys.ts';
import type { Table } from '#lib/service/store/table.ts';
import { ConditionFailed } from '#lib/service/store/writes.ts';

/** Sequence numbers of the stream's records, by shard: of each shard, the last that is counted in every counter. */
export type ShardPositions = ReadonlyMap<string, string>;

/** Before every record. */
const START = '0';

/**
 * The stream keeps records for 24 hours, so a shard without news for three times as long has none left to deliver.
 */
const LIFE_SECONDS = 72 * 3_600;

/** Whether a position of a shard is behind another. Sequence numbers are decimal and of any length. */
export const isAfter = (position: string, other: string | undefined): boolean =>
  BigInt(position) > BigInt(other ?? START);

export async function shardPositions(table: Table): Promise<ShardPositions> {
  const found = await table.query<{ sk: string; position: string }>(keys.shard('').pk);
  return new Map(found.map(({ sk, position }) => [sk, position]));
}

/**
 * Makes a shard known before anything of it is counted: a position that a counter keeps of an unknown shard may be
 * forgotten.
 */
export async function openShard(table: Table, shardId: string, seconds: number): Promise<void> {
  await keep(table, shardId, { before: undefined, position: START, seconds });
}

/**
 * Stores that every record up to this position is counted in every counter. A later position stays.
 * @param known the shard's position as far as it is known
 */
export async function advanceShard(
  table: Table,
  shardId: string,
  known: string | undefined,
  { position, seconds }: { readonly position: string; readonly seconds: number },
): Promise<void> {
  for (let before = known; before === undefined || isAfter(position, before);) {
    if (await keep(table, shardId, { before, position, seconds })) return;
    before = (await shardPositions(table)).get(shardId);
  }
}

/** @returns false when another run was faster */
async function keep(
  table: Table,
  shardId: string,
  { before, position, seconds }: { before: string | undefined; position: string; seconds: number },
): Promise<boolean> {
  const expires_at = seconds + LIFE_SECONDS;
  try {
    await table.update(keys.shard(shardId), { set: { position, expires_at } }, { equals: { position: before } });
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
}
