import type { DynamoDBRecord } from 'aws-lambda';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { handler } from '#functions/stream/counters.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { countsOfJourney, type Journey, liveThroughJourney } from '#test/support/payments/lives/counted-journey.ts';
import { failingUpdateOf, refused } from '#test/support/table/faults.ts';
import { counterItems, deliver, forgetCounts, SHARD, streamRecords } from '#test/support/table/stream.ts';
import { type Brand, openWorld, type World } from '#test/support/programs/world.ts';

let world: World;
let brand: Brand;
let journey: Journey;
let records: DynamoDBRecord[];
beforeAll(async () => {
  world = await openWorld();
  brand = await world.brand();
  journey = await liveThroughJourney(world, brand);
  records = await streamRecords(world);
});
afterEach(() => forgetCounts(world));

const handle = (...Records: DynamoDBRecord[]) => handler({ shardId: SHARD, Records });
const dealtWith = { state: {}, batchItemFailures: [] };
const failureAt = (record: DynamoDBRecord) => ({
  state: {},
  batchItemFailures: [{ itemIdentifier: record.dynamodb?.SequenceNumber }],
});
const firstClick = () => records.find(({ dynamodb }) => dynamodb?.Keys?.sk?.S === 'CUSTOMER')!;

/** The record of another click at another position in the shard. */
function clickRecord(
  place: number,
  { programId = 1, shortLink = 'ana', at = '2026-11-20T15:00:00.000Z' } = {},
): DynamoDBRecord {
  const { dynamodb } = structuredClone(firstClick());
  const NewImage = {
    ...dynamodb!.NewImage,
    programId: { N: String(programId) },
    shortLink: { S: shortLink },
    firstClickAt: { S: at },
  };
  return { eventID: String(place), dynamodb: { ...dynamodb, SequenceNumber: String(place), NewImage } };
}

/** A record that the service would never write, for example after an operator's mistake. */
const senseless = (place: number): DynamoDBRecord => ({
  eventID: 'senseless',
  eventName: 'INSERT',
  dynamodb: {
    ApproximateCreationDateTime: 1_795_272_781,
    SequenceNumber: String(place),
    Keys: { pk: { S: 'SALE#x' }, sk: { S: 'SALE' } },
    NewImage: { pk: { S: 'SALE#x' }, sk: { S: 'SALE' }, programId: { N: '1' } },
  },
});

const shardItem = async () => {
  const [item] = await world.items(keys.shard('').pk);
  return item;
};

describe('a batch of stream records for the counters', () => {
  it('counts every real event of two days of a program, but no test events and no provisional leads', async () => {
    expect(await handle(...records)).toEqual(dealtWith);
    expect(await counterItems(world)).toEqual(countsOfJourney(brand, journey));
  });

  it('can be empty, or contain only records that change no counter', async () => {
    const others = records.filter(({ dynamodb }) => dynamodb?.Keys?.sk?.S === 'PROGRAM');
    expect(others).not.toHaveLength(0);
    expect(await handle(...others)).toEqual(dealtWith);
    expect(await handle()).toEqual(dealtWith);
    expect(await counterItems(world)).toEqual({});
  });

  it('updates the total, day and minute counts, and stores up to which record of the shard it has counted', async () => {
    await deliver([clickRecord(7, { shortLink: 'warm' }), clickRecord(9, { shortLink: 'warm' })]);
    const counter = { of: 'link', shortLink: 'warm' } as const;
    expect(await world.items(keys.counter(counter).pk)).toEqual([
      {
        ...keys.counter(counter),
        clicks: 2,
        'clicks@2026-11-20': 2,
        lastClickedAt: '2026-11-20T15:00:00.000Z',
        firstClicks: { '2026-11-20T15:00': 2 },
        positions: { [SHARD]: '9' },
        version: 1,
      },
    ]);
    const second = Math.floor(firstClick().dynamodb!.ApproximateCreationDateTime!);
    expect(await shardItem()).toEqual({ ...keys.shard(SHARD), position: '9', expires_at: second + 72 * 3_600 });
  });

  it('is refused if the invocation names no shard, because a record that is delivered twice could then count twice', async () => {
    await expect(handler({ Records: records } as Parameters<typeof handler>[0])).rejects.toThrow('tumbling window');
    expect(await counterItems(world)).toEqual({});
  });
});

const positions = async () => {
  const [item] = await world.items(keys.counter({ of: 'link', shortLink: 'ana' }).pk);
  return item!.positions;
};

describe('the positions in the shards of the stream up to which a counter has counted', () => {
  it('are deleted once every counter has counted the shard’s records', async () => {
    await deliver([clickRecord(1)], 'shardId-a');
    await deliver([clickRecord(1)], 'shardId-b');
    expect(await positions()).toEqual({ 'shardId-b': '1' });
    expect((await counterItems(world))['LINK#ana']).toMatchObject({ clicks: 2 });
  });

  it('are kept while another counter still lacks records of the shard', async () => {
    // The shard's position does not change, because one of its counters cannot be written.
    await failingUpdateOf('COUNTER#PROGRAM#1', refused('InternalServerError'), () =>
      handler({ shardId: 'shardId-a', Records: [clickRecord(1)] }),
    );
    await deliver([clickRecord(1)], 'shardId-b');
    expect(await positions()).toEqual({ 'shardId-a': '1', 'shardId-b': '1' });
    await deliver([clickRecord(1)], 'shardId-a');
    const items = await counterItems(world);
    expect(items['LINK#ana']).toMatchObject({ clicks: 2 });
    expect(items['PROGRAM#1']).toMatchObject({ clicks: 2 });
  });

  it('are separate for a closed shard and for the shards that follow it', async () => {
    await Promise.all([
      deliver([clickRecord(1), clickRecord(2)], 'shardId-parent'),
      deliver([clickRecord(3)], 'shardId-left'),
      deliver([clickRecord(4)], 'shardId-right'),
    ]);
    await deliver([clickRecord(2)], 'shardId-parent');
    expect((await counterItems(world))['LINK#ana']).toMatchObject({ clicks: 4 });
  });

  it('are compared as numbers, however many digits they have', async () => {
    await deliver([clickRecord(9)]);
    await deliver([clickRecord(10)]);
    await deliver([clickRecord(9), clickRecord(10)]);
    expect((await counterItems(world))['LINK#ana']).toMatchObject({ clicks: 2 });
  });
});

const clicksByLink = async () => {
  const items = await counterItems(world);
  return Object.fromEntries(
    Object.entries(items).flatMap(([id, { clicks }]) => (id.startsWith('LINK#') ? [[id.slice(5), clicks]] : [])),
  );
};

describe('a batch of stream records about many links', () => {
  const links = Array.from({ length: 120 }, (_, n) => `link-${String(n).padStart(3, '0')}`);
  const batch = () =>
    links.map((shortLink, place) => clickRecord(place + 1, { shortLink, programId: (place % 2) + 1 }));
  const all = async () => {
    expect(await clicksByLink()).toEqual(Object.fromEntries(links.map((link) => [link, 1])));
    const items = await counterItems(world);
    for (const program of [1, 2]) expect(items[`PROGRAM#${program}`]).toMatchObject({ clicks: 60 });
  };

  it('counts the clicks of every link', async () => {
    expect(await handle(...batch())).toEqual(dealtWith);
    await all();
  });

  it.each([0, 77, 119])(
    'reports record %i as failed if the table refuses its counter, and counts that record at the next delivery',
    async (n) => {
      const link = links[n]!;
      const reply = await failingUpdateOf(`COUNTER#LINK#${link}`, refused('InternalServerError'), () =>
        handle(...batch()),
      );
      expect(reply).toEqual(failureAt(batch()[n]!));
      const { [link]: missing, ...others } = await clicksByLink();
      expect(missing).toBeUndefined();
      expect(Object.keys(others)).toHaveLength(119);
      expect(await shardItem()).toMatchObject({ position: String(n) });
      expect(await handle(...batch().slice(n))).toEqual(dealtWith);
      await all();
    },
  );

  it('is not counted twice if the position in the shard cannot be stored, and the next batch stores that position', async () => {
    await handle(batch()[0]!);
    const handled = await failingUpdateOf('SHARDS', refused('InternalServerError'), () => handle(...batch()));
    expect(handled).toEqual(dealtWith);
    expect(await shardItem()).toMatchObject({ position: '1' });
    expect(await handle(...batch())).toEqual(dealtWith);
    expect(await shardItem()).toMatchObject({ position: '120' });
    await all();
  });
});

describe('an invalid stream record for the counters', () => {
  it('is skipped wherever it is in the batch, and the other records are counted', async () => {
    for (const place of [1, 2, 3]) {
      const batch = [1, 2, 3].map((at) => (at === place ? senseless(at) : clickRecord(at)));
      expect(await handle(...batch)).toEqual(dealtWith);
      expect(await handle(...batch)).toEqual(dealtWith);
      expect(await clicksByLink()).toEqual({ ana: 2 });
      await forgetCounts(world);
    }
  });

  it('is skipped if it names no program', async () => {
    const homeless = clickRecord(1);
    delete homeless.dynamodb!.NewImage!.programId;
    expect(await handle(homeless, clickRecord(2))).toEqual(dealtWith);
    expect(await clicksByLink()).toEqual({ ana: 1 });
  });
});

describe('a counter whose update the table always refuses', () => {
  const counter = keys.counter({ of: 'link', shortLink: 'spoilt' });

  it('does not count the records, while all other counters count them', async () => {
    await world.deps().table.put(counter, { clicks: 'a text', version: 1 });
    const batch = [1, 2, 3].map((place) => clickRecord(place, { shortLink: place === 2 ? 'spoilt' : 'ana' }));
    expect(await handle(...batch)).toEqual(dealtWith);
    expect(await clicksByLink()).toEqual({ ana: 2, spoilt: 'a text' });
    expect((await counterItems(world))['PROGRAM#1']).toMatchObject({ clicks: 3 });
  });
});

/** Clicks of a hundred minutes, across the end of a month. */
const clicksOfMinutes = () =>
  Array.from({ length: 100 }, (_, n) =>
    clickRecord(n + 1, { at: new Date(Date.parse('2026-10-31T23:10:00.000Z') + n * 60_000).toISOString() }),
  );
const bytes = (item: object) => JSON.stringify(item).length;

describe('a counter item that would grow above 1 KB, the size of one write unit,', () => {
  const counter = { of: 'program', programId: 1 } as const;
  it('moves its day counts to an item per month and its minute counts to an item per hour, which expires after a day', async () => {
    for (const record of clicksOfMinutes()) await deliver([record]);
    const items = await world.items(keys.counter(counter).pk);
    expect(items.map(({ sk }) => sk)).toEqual([
      'COUNTER',
      'HOUR#2026-10-31T23',
      'HOUR#2026-11-01T00',
      'MONTH#2026-10',
      'MONTH#2026-11',
    ]);
    expect(bytes(items[0]!)).toBeLessThan(1_100);
    expect(items[1]).toMatchObject({ expires_at: Date.parse('2026-11-02T01:00:00.000Z') / 1_000 });
    const { 'PROGRAM#1': program } = await counterItems(world);
    expect(program).toMatchObject({ clicks: 100, 'clicks@2026-10-31': 50, 'clicks@2026-11-01': 50 });
    expect(Object.values(program!).filter((count) => count === 1)).toHaveLength(100);
  });

  it('also moves its day and minute counts if one batch delivers all the records', async () => {
    await deliver(clicksOfMinutes());
    const [item] = await world.items(keys.counter(counter).pk);
    expect(bytes(item!)).toBeLessThan(1_100);
    expect((await counterItems(world))['PROGRAM#1']).toMatchObject({
      clicks: 100,
      'clicks@2026-10-31': 50,
      'clicks@2026-11-01': 50,
    });
  });
});

it('stored positions of 15 shards do not make a counter item so large that it moves its day counts to other items', async () => {
  const shardIds = Array.from({ length: 15 }, (_, n) => `shardId-00000001795272781000-0000000${n}`);
  for (const shardId of shardIds) {
    await failingUpdateOf('COUNTER#PROGRAM#1', refused('InternalServerError'), () =>
      handler({ shardId, Records: [clickRecord(1)] }),
    );
  }
  const [item] = await world.items(keys.counter({ of: 'link', shortLink: 'ana' }).pk);
  expect(Object.keys(item!.positions as object)).toEqual(expect.arrayContaining(shardIds));
  expect(item).toMatchObject({ clicks: 15, 'clicks@2026-11-20': 15, version: 15 });
  expect(item).not.toHaveProperty('moves');
});

it('minute counts too old for any report are deleted when a counter moves its day counts to other items', async () => {
  const old = Array.from({ length: 40 }, (_, n) =>
    clickRecord(n + 1, { at: new Date(Date.parse('2026-10-01T00:00:00.000Z') + 3 * n * 3_600_000).toISOString() }),
  );
  for (const record of old) await deliver([record]);
  const items = await world.items(keys.counter({ of: 'program', programId: 1 }).pk);
  const hours = items.map(({ sk }) => sk).filter((sk) => String(sk).startsWith('HOUR#'));
  // The kept minutes reach a little more than a day back from the latest click of the only move.
  expect(hours.length).toBeGreaterThan(5);
  expect(hours.length).toBeLessThan(10);
  expect((await counterItems(world))['PROGRAM#1']).toMatchObject({ clicks: 40, 'clicks@2026-10-01': 8 });
});

describe('the time of a link’s last click in its counter', () => {
  it('is the time of the latest click, in any order of arrival', async () => {
    const [early, late] = ['2026-11-20T15:00:00.000Z', '2026-11-22T10:00:00.000Z'];
    await deliver([clickRecord(1, { at: late }), clickRecord(2, { at: early })]);
    await deliver([clickRecord(3, { at: early })]);
    expect((await counterItems(world))['LINK#ana']).toMatchObject({ lastClickedAt: late });
  });
});
