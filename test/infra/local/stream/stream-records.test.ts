import { expect, it } from 'vitest';
import { streamArnOf } from '#infra/local/database/create-table.ts';
import { openStream } from '#infra/local/stream/stream-records.ts';
import { openWorld } from '#test/support/programs/world.ts';

const DAY_MS = 86_400_000;

it('records of the local stream have the time of the service’s clock, also when that clock was moved', async () => {
  const world = await openWorld();
  const before = Date.now();
  await world.brand();
  const arn = await streamArnOf(world.client, world.tableName);
  const source = { endpoint: process.env.DYNAMODB_ENDPOINT!, region: 'us-east-1' };
  const datesWith = async (offsetMs?: () => number) => {
    const stream = openStream(arn, { ...source, offsetMs });
    const shard = await stream.open((await stream.shardIds())[0]!, undefined);
    return ((await shard.next()) ?? []).map(({ dynamodb }) => dynamodb!.ApproximateCreationDateTime! * 1_000);
  };
  const real = await datesWith();
  expect(real.length).toBeGreaterThan(0);
  for (const date of real) expect(date).toBeGreaterThanOrEqual(before - 1_000);
  expect(await datesWith(() => DAY_MS)).toEqual(real.map((date) => date + DAY_MS));
});
