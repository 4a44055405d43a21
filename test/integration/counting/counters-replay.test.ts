import type { DynamoDBRecord } from 'aws-lambda';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { handler } from '#functions/stream/counters.ts';
import { countsOfJourney, type Journey, liveThroughJourney } from '#test/support/payments/lives/counted-journey.ts';
import {
  type Fault,
  failing,
  failingTimes,
  refused,
  replyLost,
  sentAgain,
  type TableCall,
} from '#test/support/table/faults.ts';
import { counterItems, deliver, forgetCounts, SHARD, streamRecords } from '#test/support/table/stream.ts';
import { type Brand, openWorld, type World } from '#test/support/programs/world.ts';

let world: World;
let brand: Brand;
let journey: Journey;
/** The counted records of one journey. */
let records: DynamoDBRecord[];

beforeAll(async () => {
  world = await openWorld();
  brand = await world.brand();
  journey = await liveThroughJourney(world, brand);
  const isCounted = /^(CUSTOMER|LEAD|SALE|COMMISSION|CLICK#.*|REFUND#.*)$/;
  records = (await streamRecords(world)).filter(({ dynamodb }) => isCounted.test(dynamodb?.Keys?.sk?.S ?? ''));
});
beforeEach(() => forgetCounts(world));

const once = () => countsOfJourney(brand, journey);

/**
 * Ways to deliver all records: each for the first time after the earlier ones, and any of them again, in batches of any
 * size.
 */
const deliveries = fc
  .infiniteStream(fc.record({ size: fc.integer({ min: 1, max: 25 }), back: fc.integer({ min: 0, max: 60 }) }))
  .map((steps) => {
    const batches: DynamoDBRecord[][] = [];
    for (let delivered = 0; delivered < records.length;) {
      const { size, back } = steps.next().value!;
      const from = Math.max(0, delivered - back);
      batches.push(records.slice(from, from + size));
      delivered = Math.max(delivered, from + size);
    }
    return batches;
  });

describe('the counters count each record of the stream once', () => {
  it('when whole batches are delivered three times', async () => {
    for (let time = 0; time < 3; time++) await deliver(records);
    expect(await counterItems(world)).toEqual(once());
  });

  it('when records are delivered one by one', async () => {
    for (const record of records) await deliver([record]);
    expect(await counterItems(world)).toEqual(once());
  });

  it('when a record appears twice in a batch', async () => {
    await deliver(records.flatMap((record) => [record, record]));
    await deliver([...records, ...records]);
    expect(await counterItems(world)).toEqual(once());
  });

  it(
    'when a batch fails at any record and is delivered again from up to three records before that one',
    { tags: ['deep'] },
    async () => {
      for (const cut of records.keys()) {
        await deliver(records.slice(0, cut));
        await deliver(records.slice(Math.max(0, cut - 3)));
        expect(await counterItems(world)).toEqual(once());
        await forgetCounts(world);
      }
    },
  );

  it('when parts of the stream are redelivered in any order and batch size', { tags: ['deep'] }, async () => {
    await fc.assert(
      fc
        .asyncProperty(
          fc.constant(undefined).chain(() => deliveries),
          async (batches) => {
            for (const batch of batches) await deliver(batch);
            expect(await counterItems(world)).toEqual(once());
          },
        )
        .afterEach(() => forgetCounts(world)),
      { numRuns: 12 },
    );
  });

  it('when batches are delivered to many consumers in parallel', async () => {
    const parts = [records.slice(0, 20), records.slice(0, 30)];
    await Promise.all([records, ...parts, records, records].map((batch) => deliver(batch)));
    expect(await counterItems(world)).toEqual(once());
  });

  it('when records are redelivered after two days, in any order', async () => {
    await deliver(records);
    await deliver(records.toReversed());
    await deliver(records.slice(7));
    expect(await counterItems(world)).toEqual(once());
  });
});

const calls: [string, TableCall][] = [
  ['the read of the counters', 'read'],
  ['the read of the shard', 'second read'],
  ['the write of the shard’s position', 'write'],
  ['the write of a counter', 'second write'],
];
const faults: [string, Fault][] = [
  ['is refused', refused('InternalServerError')],
  ['is throttled', refused('ThrottlingException')],
  ['succeeds with a lost reply', replyLost],
];

describe.each(calls)('if, while records are counted, %s', (_, call) => {
  it.each(faults)(
    '%s, the reply names the first record to deliver again, and the second delivery counts each record once',
    async (__, fault) => {
      const reply = await failing(call, fault, () => handler({ shardId: SHARD, Records: records }));
      const [failure] = reply.batchItemFailures;
      const from = records.findIndex(({ dynamodb }) => dynamodb!.SequenceNumber === failure?.itemIdentifier);
      expect(from).toBeGreaterThanOrEqual(0);
      await deliver(records.slice(from));
      expect(await counterItems(world)).toEqual(once());
    },
  );

  it('is sent twice by the SDK, each record is still counted once', async () => {
    await failing(call, sentAgain, () => deliver(records));
    await deliver(records);
    expect(await counterItems(world)).toEqual(once());
  });
});

it('a run of the counter that fails waits for its calls to the table, so that none overlaps with the next run', async () => {
  // oxlint-disable-next-line typescript/unbound-method -- called with its own client below
  const send = DynamoDBDocumentClient.prototype.send as (command: unknown) => Promise<unknown>;
  let underWay = 0;
  async function counted(this: DynamoDBDocumentClient, command: unknown): Promise<unknown> {
    underWay += 1;
    return send.call(this, command).finally(() => (underWay -= 1));
  }
  Object.assign(DynamoDBDocumentClient.prototype, { send: counted });
  try {
    await failing('write', refused('InternalServerError'), () => handler({ shardId: SHARD, Records: records }));
    expect(underWay).toBe(0);
  } finally {
    Object.assign(DynamoDBDocumentClient.prototype, { send });
  }
});

/** More shards than the busiest tables have. */
const CONSUMERS = 40;

const isNewClick = ({ dynamodb }: DynamoDBRecord) =>
  /^(CUSTOMER|CLICK#.*)$/.test(dynamodb!.Keys!.sk!.S!) && dynamodb!.OldImage === undefined;

it('when many shards have events of one program in parallel, all are counted', { tags: ['deep'] }, async () => {
  const clicks = records.filter(isNewClick).slice(0, 3);
  // If a run loses too many races, Lambda delivers its records again.
  const untilCounted = async (shardId: string): Promise<void> => {
    const { batchItemFailures } = await handler({ shardId, Records: clicks });
    if (batchItemFailures.length > 0) await untilCounted(shardId);
  };
  await Promise.all(Array.from({ length: CONSUMERS }, (_, shard) => untilCounted(`shardId-${shard}`)));
  const items = await counterItems(world);
  expect(items[`PROGRAM#${brand.program.id}`]).toMatchObject({ clicks: 3 * CONSUMERS });
});

it('a run of the counter retries while another transaction locks a counter’s item', async () => {
  await failingTimes(9, 'second write', refused('TransactionConflictException'), () => deliver(records));
  expect(await counterItems(world)).toEqual(once());
});
