import type { DynamoDBRecord } from 'aws-lambda';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { handler } from '#functions/stream/counters.ts';
import { MOST_ATTEMPTS } from '#lib/service/store/backoff.ts';
import { keys } from '#lib/service/store/keys.ts';
import { rebuildMetrics } from '#lib/service/use-cases/rebuild-metrics.ts';
import { countsOfJourney, liveThroughJourney } from '#test/support/counted-journey.ts';
import { failingPutsOf, refused } from '#test/support/faults.ts';
import { clicked } from '#test/support/journeys.ts';
import { counted, counterItems, forgetCounts, probesPassed, streamRecords } from '#test/support/stream.ts';
import { type Brand, openWorld, type World } from '#test/support/world.ts';

let world: World;
let brand: Brand;
let ben: Omit<Brand, 'key'>;
beforeAll(async () => {
  world = await openWorld();
  brand = await world.brand();
  ({ ben } = await liveThroughJourney(world, brand));
});
beforeEach(() => forgetCounts(world));

/** Rebuilds with few probes: the engine has one shard. */
const rebuildOf = ({ program }: Brand, wait: () => Promise<unknown> = () => probesPassed(world)) =>
  rebuildMetrics(world.deps(), program.id, { wait, probes: 3 });
const rebuild = () => rebuildOf(brand);
const rebuilt = () => ({ programId: brand.program.id, days: 3 });

/** Every counter's item with its version, which tells whether it was written. */
const versions = async () =>
  (await world.items(keys.program(brand.program.id).pk)).map(({ sk, version }) => [sk, version]);

describe('counters that are right', () => {
  it('are found so: the events give the same numbers that the stream gave, and nothing is written', async () => {
    await counted(world);
    const before = await versions();
    expect(await rebuild()).toEqual(rebuilt());
    expect(await versions()).toEqual(before);
    expect(await counterItems(world)).toEqual(countsOfJourney(brand, ben));
  });
});

const counter = (of: 'day' | 'hour' | 'partner' | 'link' | 'pending' | 'pendingDay', name: string) =>
  keys.counter({ programId: brand.program.id, of, name });

describe('counters that are wrong', () => {
  it('are put right: missing, changed, too many of them', async () => {
    await counted(world);
    const { table } = world.deps();
    await table.update(counter('day', '2026-11-20'), { set: { clicks: 17, revenueVND: 5 } });
    await table.update(counter('day', '2026-11-30'), { set: { clicks: 1, version: 3 } });
    await table.update(counter('hour', '2026-11-20T15'), { set: { c00: undefined } });
    await table.update(counter('partner', String(brand.partner.id)), { set: { commissionUSD: -1 } });
    await table.update(counter('link', brand.shortLink), { set: { sales: 0 } });
    await table.update(counter('pending', 'all'), { set: { pending: 99 } });
    await table.transact([{ name: 'lost', key: counter('pendingDay', '2026-12-05'), remove: true }]);
    await table.update(keys.lastClick(brand.shortLink), { set: { lastClickedAt: '2099-01-01T00:00:00.000Z' } });
    expect(await rebuild()).toEqual(rebuilt());
    expect(await counterItems(world)).toEqual(countsOfJourney(brand, ben));
  });

  it('are made where nothing was counted', async () => {
    expect(await rebuild()).toEqual(rebuilt());
    expect(await counterItems(world)).toEqual(countsOfJourney(brand, ben));
  });
});

describe('clicks from before they were spread over several keys of the index', () => {
  it('are counted with those since', async () => {
    const other = await world.brand();
    const gsi1pk = `PROGRAM#${other.program.id}#EVENTS#click`;
    for (let n = 0; n < 6; n++) {
      const [item] = await world.items(keys.customer(await clicked(other)).pk);
      if (n < 3) await world.replace({ ...item, gsi1pk });
    }
    expect(await rebuildOf(other)).toEqual({ programId: other.program.id, days: 1 });
    expect((await counterItems(world))[`LINK#${other.shortLink} / COUNT`]).toEqual({ clicks: 6 });
  });
});

describe('while events come in', () => {
  it('an event that is not counted yet is left to the stream', async () => {
    const other = await world.brand();
    await clicked(other);
    const settle = () => counted(world);
    expect(await rebuildOf(other, settle)).toEqual({ programId: other.program.id, days: 1 });
    expect((await counterItems(world))[`LINK#${other.shortLink} / COUNT`]).toEqual({ clicks: 1 });
  });

  it(
    'a counter that transactions hold through every attempt is mended in a later round',
    { tags: ['deep'] },
    async () => {
      const inConflict = refused('TransactionConflictException');
      expect(await failingPutsOf('COUNT', MOST_ATTEMPTS, inConflict, rebuild)).toEqual(rebuilt());
      expect(await counterItems(world)).toEqual(countsOfJourney(brand, ben));
    },
  );

  it(
    'a counter that was written since it was read is not touched, and in the end the command fails',
    { tags: ['deep'] },
    async () => {
      await counted(world);
      const count = async () => {
        await world.deps().table.update(counter('day', '2026-11-20'), { add: { clicks: 1, version: 1 } });
        await probesPassed(world);
      };
      await count();
      await expect(rebuildOf(brand, count)).rejects.toThrow('are in motion');
      const items = await counterItems(world);
      expect(items[`PROGRAM#${brand.program.id} / COUNT#D#2026-11-20`]).toMatchObject({ clicks: 2 + 11 });
    },
  );
});

const isProbe = ({ dynamodb }: DynamoDBRecord) => dynamodb?.Keys?.sk?.S === 'PROBE';

describe('while the consumer is late', () => {
  let other: Brand;
  const countsOf = async () => (await counterItems(world))[`LINK#${other.shortLink} / COUNT`];
  beforeEach(async () => {
    await counted(world);
    other = await world.brand();
    await clicked(other);
  });

  it('by longer than a rebuild waits, nothing is corrected and the command fails: later nothing is counted twice', async () => {
    const late = rebuildOf(other, async () => undefined);
    await expect(late).rejects.toThrow(
      `The counters are late, so nothing more was changed of program ${other.program.id}. ` +
        'Repeat when the alarm CountersLate is over',
    );
    expect(await countsOf()).toBeUndefined();
    await counted(world);
    expect(await countsOf()).toEqual({ clicks: 1 });
  });

  it('by less, the rebuild waits for it, and finds nothing to mend', async () => {
    let waits = 0;
    const found = await rebuildOf(other, async () => {
      if (++waits === 3) await counted(world);
    });
    expect(found).toEqual({ programId: other.program.id, days: 1 });
    expect(waits).toBe(3);
    expect(await countsOf()).toEqual({ clicks: 1 });
  });

  it('with one record, probes behind it do not pass', { tags: ['deep'] }, async () => {
    const cannotBeCounted = {
      eventID: 'senseless',
      dynamodb: {
        SequenceNumber: 'senseless',
        Keys: { pk: { S: 'SALE#x' }, sk: { S: 'SALE' } },
        NewImage: { pk: { S: 'SALE#x' }, sk: { S: 'SALE' }, programId: { N: '1' } },
      },
    };
    const late = rebuildOf(other, async () => {
      const probes = (await streamRecords(world)).filter(isProbe);
      await handler({ Records: [cannotBeCounted, ...probes] });
    });
    await expect(late).rejects.toThrow('The counters are late');
  });
});

it('sends more probes than one transaction takes, so that every shard of a large table gets some', async () => {
  const found = await rebuildMetrics(world.deps(), brand.program.id, { wait: () => probesPassed(world) });
  expect(found).toEqual(rebuilt());
  expect((await streamRecords(world)).filter(isProbe).length).toBeGreaterThan(300);
  expect(await counterItems(world)).toEqual(countsOfJourney(brand, ben));
});

it('knows only programs that exist', async () => {
  await expect(rebuildMetrics(world.deps(), 4711)).rejects.toThrow('Program not found');
});
