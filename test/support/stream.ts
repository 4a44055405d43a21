import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { handler as counters } from '#functions/stream/counters.ts';
import { streamArnOf } from '#infra/local/create-table.ts';
import { openStream } from '#infra/local/stream-records.ts';
import { allItems } from '#test/support/invariants.ts';
import type { World } from '#test/support/world.ts';

/** All that the world's table has streamed so far, in order, spelled as Lambda gets it. */
export async function streamRecords({ client, tableName }: World): Promise<DynamoDBRecord[]> {
  const endpoint = process.env.DYNAMODB_ENDPOINT!;
  const stream = openStream(await streamArnOf(client, tableName), { endpoint, region: 'us-east-1' });
  const records: DynamoDBRecord[] = [];
  for (const shardId of await stream.shardIds()) {
    const shard = await stream.open(shardId, undefined);
    for (let page = await shard.next(); page && page.length > 0; page = await shard.next()) records.push(...page);
  }
  return records;
}

/** Delivers records to the consumer, which must count them all. */
export async function deliver(records: readonly DynamoDBRecord[]): Promise<void> {
  const { batchItemFailures } = await counters({ Records: [...records] });
  if (batchItemFailures.length > 0) throw new Error(`Not counted: ${JSON.stringify(batchItemFailures)}`);
}

/** Lets the counters catch up with the events. */
export const counted = async (world: World): Promise<void> => deliver(await streamRecords(world));

/** Lets only the probes of a rebuild through, as when the stream has nothing else to deliver. */
export const probesPassed = async (world: World): Promise<void> =>
  deliver((await streamRecords(world)).filter(({ dynamodb }) => dynamodb?.Keys?.sk?.S === 'PROBE'));

const isCounter = ({ pk, sk }: Record<string, unknown>) =>
  /^(COUNT#|PENDING#|COUNT$|LAST_CLICK$)/.test(String(sk)) || String(pk).startsWith('COUNTED#');

/** What the counters hold, by their keys; zeros, versions and the marks of counted records left out. */
export async function counterItems(world: World): Promise<Record<string, Record<string, unknown>>> {
  const found: [string, Record<string, unknown>][] = [];
  for (const { pk, sk, version: _, ...counts } of (await allItems(world)).filter(isCounter)) {
    const holds = Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0));
    if (!String(pk).startsWith('COUNTED#') && Object.keys(holds).length > 0)
      found.push([`${String(pk)} / ${String(sk)}`, holds]);
  }
  return Object.fromEntries(found.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const MOST_DELETES = 25;

/** Removes all counters and all marks, as if nothing had been counted yet. */
export async function forgetCounts(world: World): Promise<void> {
  const keys = (await allItems(world)).filter(isCounter).map(({ pk, sk }) => ({ pk, sk }));
  for (let at = 0; at < keys.length; at += MOST_DELETES) {
    const deletes = keys.slice(at, at + MOST_DELETES).map((Key) => ({ DeleteRequest: { Key } }));
    await world.client.send(new BatchWriteCommand({ RequestItems: { [world.tableName]: deletes } }));
  }
}
