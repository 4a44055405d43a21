import { keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import { ConditionFailed } from '#lib/service/ground/table/writes.ts';

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

/** @param shardIds of which shards; one whose item has expired is unknown */
export async function shardPositions(table: Table, shardIds: Iterable<string>): Promise<ShardPositions> {
  const found = await Promise.all(
    [...shardIds].map(async (shardId) => {
      const item = await table.get<{ position: string }>(keys.shard(shardId));
      return item ? ([[shardId, item.position]] as const) : [];
    }),
  );
  return new Map(found.flat());
}

/**
 * Makes a shard known before anything of it is counted. A position that a counter keeps of an unknown shard may then be
 * dropped: the shard has expired.
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
  let before = known;
  while (isAfter(position, before) && !(await keep(table, shardId, { before, position, seconds }))) {
    table.forget();
    before = (await shardPositions(table, [shardId])).get(shardId);
  }
}

/** @returns false when another run was faster */
async function keep(
  table: Table,
  shardId: string,
  { before, position, seconds }: { before: string | undefined; position: string; seconds: number },
): Promise<boolean> {
  const expires_at = seconds + LIFE_SECONDS;
  const condition = before === undefined ? { isGoneAt: seconds } : { equals: { position: before } };
  try {
    await table.update(keys.shard(shardId), { set: { position, expires_at } }, condition);
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
}
