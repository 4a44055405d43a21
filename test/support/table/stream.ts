import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { handler as counters } from '#functions/stream/counters.ts';
import { streamArnOf } from '#infra/local/database/create-table.ts';
import { openStream } from '#infra/local/stream/stream-records.ts';
import { countMonth } from '#lib/service/conversions/tiers/count-month.ts';
import { allItems } from '#test/support/table/invariants.ts';
import type { World } from '#test/support/programs/world.ts';

/** All stream records of the world's table so far, in order and in the form in which Lambda passes them. */
export const streamRecords = (world: World): Promise<DynamoDBRecord[]> => recordsAfter(undefined, world);

async function recordsAfter(last: string | undefined, { client, tableName }: World): Promise<DynamoDBRecord[]> {
  const endpoint = process.env.DYNAMODB_ENDPOINT!;
  const stream = openStream(await streamArnOf(client, tableName), { endpoint, region: 'us-east-1' });
  const records: DynamoDBRecord[] = [];
  for (const shardId of await stream.shardIds()) {
    const shard = await stream.open(shardId, last);
    for (let page = await shard.next(); page && page.length > 0; page = await shard.next()) records.push(...page);
  }
  return records;
}

/** The name of the engine's only shard. Tests that need more shards invent names. */
export const SHARD = 'shardId-1';

/** Delivers records to the function that counts them. It must process all of them. */
export async function deliver(records: readonly DynamoDBRecord[], shardId = SHARD): Promise<void> {
  const { batchItemFailures } = await counters({ shardId, Records: [...records] });
  if (batchItemFailures.length > 0) throw new Error(`Not counted: ${JSON.stringify(batchItemFailures)}`);
}

/** The last record that `counted` has delivered, for each world. */
const lastCounted = new WeakMap<World, string>();

/** Delivers all new records, so that the counters include all events so far. */
export async function counted(world: World): Promise<void> {
  const records = await recordsAfter(lastCounted.get(world), world);
  await deliver(records);
  const last = records.at(-1)?.dynamodb?.SequenceNumber;
  if (last !== undefined) lastCounted.set(world, last);
}

/** Runs the schedule until it finds that all events of the previous month are counted. */
export async function monthCounted(world: World, at: Date): Promise<void> {
  const probes = 3;
  await countMonth(world.deps(at), probes);
  await counted(world);
  await countMonth(world.deps(at), probes);
}

/** Delivers only the probe records of a rebuild, as if their shards contained no other records. */
export const probesPassed = async (world: World): Promise<void> =>
  deliver(
    (await streamRecords(world)).filter(({ dynamodb }) => dynamodb?.Keys?.sk?.S === 'PROBE'),
    'shardId-of-probes',
  );

const isCounter = ({ pk }: Record<string, unknown>) => /^(COUNTER#|SHARDS$)/.test(String(pk));

/**
 * Reads all counters by id: their totals, days and minutes, from all items in which they are stored. Zeros are left
 * out.
 */
export async function counterItems(world: World): Promise<Record<string, Record<string, unknown>>> {
  const found: Record<string, Record<string, unknown>> = {};
  for (const item of (await allItems(world)).filter(({ pk }) => String(pk).startsWith('COUNTER#'))) {
    const {
      pk,
      sk: _,
      version: __,
      moves: ___,
      positions: ____,
      expires_at: _____,
      firstClicks: ______,
      ...holds
    } = item;
    const counter = (found[String(pk).slice('COUNTER#'.length)] ??= {});
    for (const [field, value] of Object.entries(holds)) {
      counter[field] = typeof value === 'number' ? Number(counter[field] ?? 0) + value : value;
    }
  }
  const entries = Object.entries(found).map(
    ([id, holds]) => [id, Object.fromEntries(Object.entries(holds).filter(([, value]) => value !== 0))] as const,
  );
  return Object.fromEntries(
    entries.filter(([, holds]) => Object.keys(holds).length > 0).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}

const MOST_DELETES = 25;

/** Deletes all counters, and the positions up to which shards are counted, as if nothing had been counted. */
export async function forgetCounts(world: World): Promise<void> {
  const keys = (await allItems(world)).filter(isCounter).map(({ pk, sk }) => ({ pk, sk }));
  for (let at = 0; at < keys.length; at += MOST_DELETES) {
    const deletes = keys.slice(at, at + MOST_DELETES).map((Key) => ({ DeleteRequest: { Key } }));
    await world.client.send(new BatchWriteCommand({ RequestItems: { [world.tableName]: deletes } }));
  }
  lastCounted.delete(world);
}
