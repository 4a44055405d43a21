import type { DynamoDBRecord } from 'aws-lambda';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { handler } from '#functions/stream/counters.ts';
import { countsOfJourney, liveThroughJourney } from '#test/support/counted-journey.ts';
import {
  type Fault,
  failing,
  inConflict,
  refused,
  replyLost,
  sentAgain,
  type TableCall,
} from '#test/support/faults.ts';
import { counterItems, deliver, forgetCounts, streamRecords } from '#test/support/stream.ts';
import { type Brand, openWorld, type World } from '#test/support/world.ts';

let world: World;
let brand: Brand;
let ben: Omit<Brand, 'key'>;
/** The records of a journey that are counted. */
let records: DynamoDBRecord[];

beforeAll(async () => {
  world = await openWorld();
  brand = await world.brand();
  ({ ben } = await liveThroughJourney(world, brand));
  const isCounted = /^(CUSTOMER|LEAD|SALE|COMMISSION|CLICK#.*|REFUND#.*)$/;
  records = (await streamRecords(world)).filter(({ dynamodb }) => isCounted.test(dynamodb?.Keys?.sk?.S ?? ''));
});
beforeEach(() => forgetCounts(world));

const once = () => countsOfJourney(brand, ben);

/** A way to deliver all records: some of them again, in any order, in batches of any size. */
const deliveries = fc
  .array(fc.nat(200), { maxLength: 40 })
  .chain((again) => {
    const indices = [...records.keys(), ...again.map((at) => at % records.length)];
    return fc.shuffledSubarray(indices, { minLength: indices.length });
  })
  .chain((order) => fc.record({ order: fc.constant(order), sizes: fc.infiniteStream(fc.integer({ min: 1, max: 25 })) }))
  .map(({ order, sizes }) => {
    const batches: DynamoDBRecord[][] = [];
    for (let at = 0; at < order.length;) {
      const size = sizes.next().value!;
      batches.push(order.slice(at, at + size).map((index) => records[index]!));
      at += size;
    }
    return batches;
  });

describe('counts each record once', () => {
  it('delivered as a whole, again and again', async () => {
    for (let time = 0; time < 3; time++) await deliver(records);
    expect(await counterItems(world)).toEqual(once());
  });

  it('delivered one by one', async () => {
    for (const record of records) await deliver([record]);
    expect(await counterItems(world)).toEqual(once());
  });

  it('delivered again in part, in any order, in batches of any size', { tags: ['deep'] }, async () => {
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

  it('delivered in many places at once', async () => {
    const halves = [records.slice(0, 20), records.slice(20)];
    await Promise.all([records, records.toReversed(), ...halves, records].map(deliver));
    expect(await counterItems(world)).toEqual(once());
  });
});

const isClick = ({ dynamodb }: DynamoDBRecord) => /^(CUSTOMER|CLICK#.*)$/.test(dynamodb!.Keys!.sk!.S!);
const all = () => records;
const isProvisional = ({ dynamodb }: DynamoDBRecord) => dynamodb?.NewImage?.state?.S === 'provisional';
/** Only clicks write anything beside the transaction, and a provisional lead counts for nothing. */
const withoutClicks = () => records.filter((record) => !isClick(record) && !isProvisional(record));

const calls: [string, TableCall, () => DynamoDBRecord[]][] = [
  ['the read of the marks', 'read', all],
  ["the note of a link's last click", 'write', all],
  ['the transaction', 'write', withoutClicks],
];
const faults: [string, Fault][] = [
  ['is refused', refused('InternalServerError')],
  ['is throttled', refused('ThrottlingException')],
  ['is carried out, and its reply lost', replyLost],
];

describe.each(calls)('when %s', (_, call, batch) => {
  it.each(faults)('%s, the first record is named, and counted once when it comes again', async (__, fault) => {
    const reply = await failing(call, fault, () => handler({ Records: batch() }));
    expect(reply).toEqual({ batchItemFailures: [{ itemIdentifier: batch()[0]!.dynamodb?.SequenceNumber }] });
    await deliver(records);
    expect(await counterItems(world)).toEqual(once());
  });

  it('is sent twice by the SDK, nothing is counted twice', async () => {
    await failing(call, sentAgain, () => deliver(batch()));
    await deliver(records);
    expect(await counterItems(world)).toEqual(once());
  });
});

it('a run that fails leaves no call under way, which would meet the next run', async () => {
  // oxlint-disable-next-line typescript/unbound-method -- called with its own client below
  const send = DynamoDBDocumentClient.prototype.send as (command: unknown) => Promise<unknown>;
  let underWay = 0;
  async function counted(this: DynamoDBDocumentClient, command: unknown): Promise<unknown> {
    underWay += 1;
    return send.call(this, command).finally(() => (underWay -= 1));
  }
  Object.assign(DynamoDBDocumentClient.prototype, { send: counted });
  try {
    await failing('write', refused('InternalServerError'), () => handler({ Records: records }));
    expect(underWay).toBe(0);
  } finally {
    Object.assign(DynamoDBDocumentClient.prototype, { send });
  }
});

/** More than the busiest tables have shards. */
const CONSUMERS = 40;

it('from many shards at once, all with events of one program and second', { tags: ['deep'] }, async () => {
  const click = records.find(isClick);
  const shards = Array.from({ length: CONSUMERS }, (_, shard) =>
    Array.from({ length: 3 }, (__, n) => ({ ...click!, eventID: `${shard} ${n}` })),
  );
  await Promise.all(shards.map(deliver));
  const items = await counterItems(world);
  expect(items[`LINK#${brand.shortLink} / COUNT`]).toEqual({ clicks: 3 * CONSUMERS });
  expect(items[`PROGRAM#${brand.program.id} / COUNT#D#2026-11-20`]).toEqual({ clicks: 3 * CONSUMERS });
});

it.each([1, 9])('waits while other transactions hold the counters, %i times in a row', async (times) => {
  const heldTimes = (left: number): Promise<void> =>
    left === 0 ? deliver(withoutClicks()) : failing('write', inConflict, () => heldTimes(left - 1));
  await heldTimes(times);
  await deliver(records);
  expect(await counterItems(world)).toEqual(once());
});
