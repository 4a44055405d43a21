import { keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import { ConditionFailed } from '#lib/service/ground/table/writes.ts';

/** For each shard of the stream, the sequence number up to which all counters include its records. */
export type ShardPositions = ReadonlyMap<string, string>;

/** A position that sorts before every record. */
const START = '0';

/**
 * The lifetime of a shard's item. The stream keeps records for 24 hours, so a shard without new records for three times
 * as long has no records left.
 */
const LIFE_SECONDS = 72 * 3_600;

/**
 * Whether a position in a shard comes after another one. Sequence numbers are decimal texts of any length, so they are
 * not compared as text.
 */
export const isAfter = (position: string, other: string | undefined): boolean =>
  BigInt(position) > BigInt(other ?? START);

/** Positions of these shards. A shard whose item has expired is missing from the result. */
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
 * Stores the item of a shard before anything from the shard is counted. Counters may remove their positions in a shard
 * without an item, because its records have expired.
 */
export async function openShard(table: Table, shardId: string, seconds: number): Promise<void> {
  await keep(table, shardId, { before: undefined, position: START, seconds });
}

/**
 * Records that all counters include the records of a shard up to this position. If a later position is already stored,
 * it stays.
 * @param known the shard's position as last read
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

/** Stores a shard's position. @returns false if another run wrote first */
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
