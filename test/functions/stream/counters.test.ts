import type { DynamoDBRecord } from 'aws-lambda';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { handler } from '#functions/stream/counters.ts';
import { keys } from '#lib/store/keys.ts';
import { countsOfJourney, liveThroughJourney } from '#test/support/counted-journey.ts';
import { clicked } from '#test/support/journeys.ts';
import { counterItems, deliver, forgetCounts, streamRecords } from '#test/support/stream.ts';
import { type Brand, openWorld, type World } from '#test/support/world.ts';

let world: World;
let brand: Brand;
let ben: Omit<Brand, 'key'>;
let records: DynamoDBRecord[];
beforeAll(async () => {
  world = await openWorld();
  brand = await world.brand();
  ({ ben } = await liveThroughJourney(world, brand));
  records = await streamRecords(world);
});
afterEach(() => forgetCounts(world));

const firstClick = () => records.find(({ dynamodb }) => dynamodb?.Keys?.sk?.S === 'CUSTOMER')!;
const failureAt = (record: DynamoDBRecord) => ({
  batchItemFailures: [{ itemIdentifier: record.dynamodb?.SequenceNumber }],
});
/** Such as an operator's slip of the hand. */
const senseless: DynamoDBRecord = {
  eventID: 'senseless',
  eventName: 'INSERT',
  dynamodb: {
    ApproximateCreationDateTime: 1_795_272_781,
    SequenceNumber: 'senseless',
    Keys: { pk: { S: 'SALE#x' }, sk: { S: 'SALE' } },
    NewImage: { pk: { S: 'SALE#x' }, sk: { S: 'SALE' }, programId: { N: '1' } },
  },
};

describe('a batch that it counts', () => {
  it('is counted whole: two days of a program, without test events and without what is provisional', async () => {
    expect(await handler({ Records: records })).toEqual({ batchItemFailures: [] });
    expect(await counterItems(world)).toEqual(countsOfJourney(brand, ben));
  });

  it('may hold nothing that counts, or nothing at all', async () => {
    const others = records.filter(({ dynamodb }) => dynamodb?.Keys?.sk?.S === 'PROGRAM');
    expect(others).not.toHaveLength(0);
    expect(await handler({ Records: others })).toEqual({ batchItemFailures: [] });
    expect(await handler({ Records: [] })).toEqual({ batchItemFailures: [] });
    expect(await counterItems(world)).toEqual({});
  });

  it('may be larger than one transaction', async () => {
    const links = Array.from({ length: 120 }, (_, n) => `many-${n}`);
    const clicks = links.map((shortLink, n): DynamoDBRecord => {
      const { eventID, dynamodb } = structuredClone(firstClick());
      return {
        eventID: `${eventID}-${n}`,
        dynamodb: { ...dynamodb, NewImage: { ...dynamodb!.NewImage, shortLink: { S: shortLink } } },
      };
    });
    expect(await handler({ Records: clicks })).toEqual({ batchItemFailures: [] });
    const items = await counterItems(world);
    for (const link of links) expect(items[`LINK#${link} / COUNT`]).toEqual({ clicks: 1 });
    expect(items[`PROGRAM#${brand.program.id} / COUNT#D#2026-11-20`]).toEqual({ clicks: 120 });
  });

  it('leaves marks that expire after the stream has forgotten its records', async () => {
    await deliver([firstClick()]);
    const second = firstClick().dynamodb!.ApproximateCreationDateTime!;
    const [mark] = await world.items(keys.counted(second).pk);
    expect(mark).toEqual({
      ...keys.counted(second),
      ids: new Set([expect.stringMatching(/^[0-9a-f]{16}$/)]),
      version: 1,
      expires_at: second + 48 * 3_600,
    });
  });
});

describe('a record that cannot be counted', () => {
  it('is named, and what came before it is counted', async () => {
    expect(await handler({ Records: [firstClick(), senseless, ...records] })).toEqual(failureAt(senseless));
    expect((await counterItems(world))[`LINK#${brand.shortLink} / COUNT`]).toEqual({ clicks: 1 });
  });

  it('is named when it stands first', async () => {
    expect(await handler({ Records: [senseless, firstClick()] })).toEqual(failureAt(senseless));
    expect(await counterItems(world)).toEqual({});
  });
});

describe('the last click of a link', () => {
  it('is the latest, in whatever order clicks arrive', async () => {
    await clicked(brand, { at: new Date('2026-11-22T10:00:00.000Z') });
    const later = (await streamRecords(world)).slice(records.length);
    await deliver(later);
    await deliver(records);
    expect((await counterItems(world))[`LINK#${brand.shortLink} / LAST_CLICK`]).toEqual({
      lastClickedAt: '2026-11-22T10:00:00.000Z',
    });
  });
});
