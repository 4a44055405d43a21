import type { DynamoDBRecord } from 'aws-lambda';
import { handler as counters } from '#functions/stream/counters.ts';
import { handler as click } from '#functions/track/click.ts';
import { startEngine } from '#infra/local/database/engine.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import { sentCalls, unitsOf } from '#test/support/servers/sent-calls.ts';
import { openWorld } from '#test/support/programs/world.ts';
import { report, type Rows } from '#test/bench/support/report.ts';

// Measures what the function costs that consumes the stream and counts, and whether it keeps up with the embedded
// engine.

const CLICKS = 2_000;
const CONNECTIONS = 8;
const BATCH_SIZES = [1, 10, 100, 500];
/** Number of records in each cost measurement. A program with little traffic makes about as many in a few seconds. */
const COST_RECORDS = 500;

const engine = await startEngine();
process.env.DYNAMODB_ENDPOINT = engine.endpoint;
const world = await openWorld();
const { affiliateUrl } = await world.brand();
// This module reads the engine's address from the environment when it is imported, so the import must come after the
// line that sets the address.
const { deliver, forgetCounts, SHARD, streamRecords } = await import('#test/support/table/stream.ts');

const perSecond = (count: number, startedAt: number) => Math.round(count / ((performance.now() - startedAt) / 1_000));

async function writeClicks(): Promise<number> {
  const startedAt = performance.now();
  let sent = 0;
  const connection = async () => {
    while (sent < CLICKS) {
      await send(click, { body: { affiliate_url: affiliateUrl }, at: new Date(NOW.getTime() + 1_000 * sent++) });
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  return perSecond(CLICKS, startedAt);
}

async function inBatches(records: readonly DynamoDBRecord[], size: number): Promise<void> {
  for (let at = 0; at < records.length; at += size) await deliver(records.slice(at, at + size));
}

const clicksPerSecond = await writeClicks();
const records = (await streamRecords(world)).filter(({ dynamodb }) => dynamodb?.Keys?.sk?.S === 'CUSTOMER');
await counters({ shardId: SHARD, Records: [] });

const rows: Record<string, Rows[string]> = {};
for (const size of BATCH_SIZES) {
  await forgetCounts(world);
  const startedAt = performance.now();
  await inBatches(records, size);
  const countedPerSecond = perSecond(records.length, startedAt);

  await forgetCounts(world);
  const some = records.slice(0, COST_RECORDS);
  const calls = await sentCalls(() => inBatches(some, size));
  const perEvent = (units: 'readUnits' | 'writeUnits') =>
    Number((calls.reduce((sum, call) => sum + call[units], 0) / some.length).toFixed(2));
  rows[`batches of ${size}`] = {
    'events counted per second': countedPerSecond,
    'clicks recorded per second': clicksPerSecond,
    'write units per event': perEvent('writeUnits'),
    'read units per event': perEvent('readUnits'),
  };
}
await report('the counters', rows);

/** Returns the records of clicks. @param linkOf returns the link of a click, and so its partner */
const clicksOf = (linkOf: (n: number) => number, from: number): DynamoDBRecord[] =>
  records.slice(0, COST_RECORDS).map(({ dynamodb }, n) => {
    const { NewImage: image = {} } = structuredClone(dynamodb!);
    const link = linkOf(n);
    const NewImage = { ...image, shortLink: { S: `link-${link}` }, partnerId: { N: String(1_000 + link) } };
    return { dynamodb: { ...dynamodb, SequenceNumber: String(from + n), NewImage } };
  });

async function costOf(batch: readonly DynamoDBRecord[]): Promise<Rows[string]> {
  const calls = await sentCalls(() => deliver(batch));
  const { read, write } = unitsOf(calls);
  return { 'write units per event': write / batch.length, 'read units per event': read / batch.length };
}

await forgetCounts(world);
await report('the counters: units of one event', {
  'cold links, each its first click': await costOf(clicksOf((n) => n, 10_000)),
  'warm links': await costOf(clicksOf((n) => n, 20_000)),
  'one link': await costOf(clicksOf(() => 0, 30_000)),
  'one link, alone in its batch': await costOf(clicksOf(() => 0, 40_000).slice(0, 1)),
});
await engine.stop();
