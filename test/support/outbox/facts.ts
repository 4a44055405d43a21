import type { DynamoDBRecord } from 'aws-lambda';
import { gunzipSync } from 'node:zlib';
import { handler as consumer } from '#functions/stream/outbox.ts';
import { streamArnOf } from '#infra/local/database/create-table.ts';
import { isOf } from '#infra/local/stream/stream-pump.ts';
import { openStream } from '#infra/local/stream/stream-records.ts';
import { outbox } from '#infra/routes.ts';
import type { Fact } from '#lib/service/outbox/facts/fact.ts';
import { factKeys } from '#lib/service/ground/table/keys.ts';
import { NOW } from '#test/support/callers/request.ts';
import { SHARD } from '#test/support/table/stream.ts';
import type { Brand, World } from '#test/support/programs/world.ts';

/** Delivers records to the outbox once, as one batch. @returns the number of records that it processed */
export async function deliverFacts(records: readonly DynamoDBRecord[]): Promise<number> {
  const { batchItemFailures } = await consumer({ shardId: SHARD, Records: [...records] });
  const [failed] = batchItemFailures;
  return failed
    ? records.findIndex(({ dynamodb }) => dynamodb?.SequenceNumber === failed.itemIdentifier)
    : records.length;
}

/** Changes the dates of records, as if the table had been changed at this time; the engine uses the real time. */
export const changedAt = (records: readonly DynamoDBRecord[], at: Date): DynamoDBRecord[] =>
  records.map(({ dynamodb, ...record }) => ({
    ...record,
    dynamodb: { ...dynamodb, ApproximateCreationDateTime: at.getTime() / 1_000 },
  }));

/** Delivers the table's stream records to the outbox, as Lambda does. */
export async function factPump({ client, tableName }: World) {
  const endpoint = process.env.DYNAMODB_ENDPOINT!;
  const stream = openStream(await streamArnOf(client, tableName), { endpoint, region: 'us-east-1' });
  const [shardId] = await stream.shardIds();
  const shard = await stream.open(shardId!, undefined);

  /** Returns the records that are new since the last call. */
  async function fresh(at = NOW): Promise<DynamoDBRecord[]> {
    const found: DynamoDBRecord[] = [];
    for (let page = await shard.next(); page && page.length > 0; page = await shard.next()) found.push(...page);
    return changedAt(
      found.filter((record) => outbox.records.some((filter) => isOf(filter, record))),
      at,
    );
  }
  return {
    fresh,
    /** Delivers the records since the last call. @param at when the table was changed */
    async run(at = NOW): Promise<void> {
      const records = await fresh(at);
      for (let from = 0; from < records.length; from += outbox.batchSize) {
        const batch = records.slice(from, from + outbox.batchSize);
        if ((await deliverFacts(batch)) < batch.length) throw new Error('Not dealt with');
      }
    },
  };
}

export type FactPump = Awaited<ReturnType<typeof factPump>>;

/** Reads the stored facts of a brand, oldest first, and unpacks their rows. */
export async function storedFacts(world: World, { program }: Pick<Brand, 'program'>): Promise<Fact[]> {
  const items = await world.items(factKeys.fact(program.id, '').pk);
  return items.map(({ row, packed, ...item }) => {
    const text = packed ? gunzipSync(packed as Uint8Array).toString() : String(row);
    return { ...item, data: JSON.parse(text) } as unknown as Fact;
  });
}
