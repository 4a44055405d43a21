import type { DynamoDBRecord } from 'aws-lambda';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { handler } from '#functions/stream/counters.ts';
import { keys } from '#lib/service/store/keys.ts';
import { failingTransactionOf, refused } from '#test/support/faults.ts';
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
    const key = keys.counted(second, brand.program.id);
    const [mark] = await world.items(key.pk);
    expect(mark).toEqual({
      ...key,
      ids: new Set([expect.stringMatching(/^[0-9a-f]{16}$/)]),
      version: 1,
      expires_at: second + 48 * 3_600,
    });
  });
});

/** A first click of another program and link. */
function clickOf(programId: number, shortLink: string): DynamoDBRecord {
  const { dynamodb } = structuredClone(firstClick());
  const image = { ...dynamodb!.NewImage, programId: { N: String(programId) }, shortLink: { S: shortLink } };
  const name = `${programId} ${shortLink}`;
  return { eventID: name, dynamodb: { ...dynamodb, SequenceNumber: name, NewImage: image } };
}

const countedLinks = (items: Record<string, unknown>) =>
  Object.keys(items).filter((key) => key.endsWith(' / COUNT')).length;

describe('a batch of two programs that takes two transactions', () => {
  const links = Array.from({ length: 60 }, (_, n) => `link-${n}`);
  /** By turns. The first transaction takes all of program 1 and as many of program 2 as there is room for. */
  const batch = () => links.flatMap((link) => [clickOf(1, `one-${link}`), clickOf(2, `two-${link}`)]);
  const all = async () => {
    const items = await counterItems(world);
    for (const link of links) {
      expect(items[`LINK#one-${link} / COUNT`]).toEqual({ clicks: 1 });
      expect(items[`LINK#two-${link} / COUNT`]).toEqual({ clicks: 1 });
    }
    for (const program of [1, 2]) {
      expect(items[`PROGRAM#${program} / COUNT#D#2026-11-20`]).toEqual({ clicks: 60 });
    }
  };

  it('is counted whole', async () => {
    expect(await handler({ Records: batch() })).toEqual({ batchItemFailures: [] });
    await all();
  });

  it.each([
    // Mark, day, hour and partner of both programs are 8 of the 100 writes.
    ['the way to the table breaks at the second', 'two-link-59', 'InternalServerError', 'two-link-32', 92],
    ['the way to the table breaks at the first', 'one-link-0', 'InternalServerError', 'one-link-0', 0],
  ])('when %s, names the first record that is not counted', async (_, link, error, first, counted) => {
    const deliverAll = () => handler({ Records: batch() });
    const reply = await failingTransactionOf(`LINK#${link}`, refused(error), deliverAll);
    const named = batch().find(({ eventID }) => eventID!.endsWith(first))!;
    expect(reply).toEqual(failureAt(named));
    expect(countedLinks(await counterItems(world))).toBe(counted);
    // Lambda goes on from there.
    const left = batch().slice(batch().findIndex(({ eventID }) => eventID === named.eventID));
    expect(await handler({ Records: left })).toEqual({ batchItemFailures: [] });
    await all();
  });
});

describe('a record that cannot be counted', () => {
  it('may be one of no program', async () => {
    const { eventID, dynamodb } = structuredClone(firstClick());
    const { programId: _, ...image } = dynamodb!.NewImage!;
    const homeless = { eventID, dynamodb: { ...dynamodb, NewImage: image } };
    expect(await handler({ Records: [homeless] })).toEqual(failureAt(homeless));
    expect(await counterItems(world)).toEqual({});
  });

  it('is named, and all others are counted', async () => {
    expect(await handler({ Records: [firstClick(), senseless, ...records] })).toEqual(failureAt(senseless));
    expect(await counterItems(world)).toEqual(countsOfJourney(brand, ben));
  });

  it('is named when it comes first', async () => {
    expect(await handler({ Records: [senseless, ...records] })).toEqual(failureAt(senseless));
    expect(await handler({ Records: [senseless, ...records] })).toEqual(failureAt(senseless));
    expect(await counterItems(world)).toEqual(countsOfJourney(brand, ben));
  });
});

/** A link whose counter holds a text where its clicks are to be added: the table takes no transaction that counts them. */
const spoil = (shortLink: string) =>
  world.deps().table.put(keys.counter({ programId: 0, of: 'link', name: shortLink }), { clicks: 'spoilt' });
const mend = (shortLink: string) =>
  world.deps().table.put(keys.counter({ programId: 0, of: 'link', name: shortLink }), {});

/** 64 clicks of two programs by turns. */
const clicksOfTwo = () => Array.from({ length: 64 }, (_, n) => clickOf((n % 2) + 1, `link-${n}`));

const linksCounted = async () => {
  const items = await counterItems(world);
  return clicksOfTwo().map((_, n) => items[`LINK#link-${n} / COUNT`]?.clicks);
};
const allBut = (...spoilt: number[]) => clicksOfTwo().map((_, n) => (spoilt.includes(n) ? 'spoilt' : 1));

describe('records whose counts the table does not take', () => {
  it.each([
    ['one in the middle', [30]],
    ['the first', [0]],
    ['the last', [63]],
    ['several of both programs', [5, 6, 40]],
  ])('%s: the first is named, and all others of every program are counted at once', async (_, spoilt) => {
    for (const n of spoilt) await spoil(`link-${n}`);
    expect(await handler({ Records: clicksOfTwo() })).toEqual(failureAt(clicksOfTwo()[spoilt[0]!]!));
    expect(await linksCounted()).toEqual(allBut(...spoilt));
    for (const n of spoilt) await mend(`link-${n}`);
    expect(await handler({ Records: clicksOfTwo().slice(spoilt[0]) })).toEqual({ batchItemFailures: [] });
    expect(await linksCounted()).toEqual(allBut());
    const items = await counterItems(world);
    for (const program of [1, 2]) {
      expect(items[`PROGRAM#${program} / COUNT#D#2026-11-20`]).toEqual({ clicks: 32 });
    }
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
