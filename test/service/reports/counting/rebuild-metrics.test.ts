import type { DynamoDBRecord } from 'aws-lambda';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { handler } from '#functions/stream/counters.ts';
import { PROBES } from '#lib/service/ground/counters/probes-items.ts';
import { findCounter, moveCounts } from '#lib/service/ground/counters/counters-items.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { rebuildMetrics } from '#lib/service/reports/counting/rebuild-metrics.ts';
import { countsOfJourney, type Journey, liveThroughJourney } from '#test/support/payments/lives/counted-journey.ts';
import { failingUpdateOf, refused } from '#test/support/table/faults.ts';
import { allItems } from '#test/support/table/invariants.ts';
import { clicked } from '#test/support/payments/lives/journeys.ts';
import { counted, counterItems, forgetCounts, probesPassed, SHARD, streamRecords } from '#test/support/table/stream.ts';
import { type Brand, openWorld, type World } from '#test/support/programs/world.ts';

let world: World;
let brand: Brand;
let journey: Journey;
beforeAll(async () => {
  world = await openWorld();
  brand = await world.brand();
  journey = await liveThroughJourney(world, brand);
});
beforeEach(() => forgetCounts(world));

/** Rebuilds with few probes: the engine has one shard. */
const rebuildOf = ({ program }: Brand, wait: () => Promise<unknown> = () => probesPassed(world)) =>
  rebuildMetrics(world.deps(), program.id, { wait, probes: 3 });
const rebuild = () => rebuildOf(brand);
const rebuiltOf = ({ program }: Brand, days: number, corrected: number) => ({
  programId: program.id,
  days,
  corrected,
  open: 0,
  unsettled: 0,
});
const rebuilt = (corrected: number) => rebuiltOf(brand, 3, corrected);

/** Every counter's item with its version, which shows whether it was written. */
const versions = async () => {
  const items = (await allItems(world)).filter(({ pk }) => String(pk).startsWith('COUNTER#'));
  return items.map(({ pk, sk, version, moves }) => [pk, sk, version, moves]);
};

describe('in a rebuild, counters that are right', () => {
  it('are not written', async () => {
    await counted(world);
    const before = await versions();
    expect(await rebuild()).toEqual(rebuilt(0));
    expect(await versions()).toEqual(before);
    expect(await counterItems(world)).toEqual(countsOfJourney(brand, journey));
  });
});

const counters = () => ({
  program: keys.counter({ of: 'program', programId: brand.program.id }),
  partner: keys.counter({ of: 'partner', programId: brand.program.id, partnerId: brand.partner.id }),
  link: keys.counter({ of: 'link', shortLink: brand.shortLink }),
  customer: keys.counter({ of: 'customer', clickId: journey.customers.ofAna }),
});

describe('in a rebuild, counters that are wrong', () => {
  it.each<[string, keyof ReturnType<typeof counters>, Record<string, unknown>, number]>([
    ['a day', 'program', { 'clicks@2026-11-20': 17 }, 2],
    ['a day and its total', 'program', { 'clicks@2026-11-20': 17, clicks: 19 }, 2],
    ['a day without events', 'program', { 'clicks@2026-11-30': 1, 'revenueVND@2026-11-30': 5 }, 4],
    ['a minute', 'program', { 'clicks@2026-11-21T10:00': undefined }, 1],
    [
      'a value that ends in the future',
      'program',
      { 'pending@2026-12-05': undefined, 'pending@2026-12-05T16:20': 4 },
      3,
    ],
    ['a total', 'program', { pending: 99 }, 1],
    ['a negative number', 'partner', { commissionUSD: -1 }, 1],
    ['an invalid number', 'link', { sales: 'many', 'clicks@2026-11-20': 'few' }, 3],
    ['the last click of a link', 'link', { lastClickedAt: '2099-01-01T00:00:00.000Z' }, 1],
    ['the money of a customer', 'customer', { revenueUSD: 1, refundedUSD: undefined, revenueVND: 5 }, 3],
    ['a missing last click', 'link', { lastClickedAt: undefined }, 1],
  ])('are corrected if the error is in %s', async (_, of, set, fields) => {
    await counted(world);
    await world.deps().table.update(counters()[of], { set });
    expect(await rebuild()).toEqual(rebuilt(fields));
    expect(await counterItems(world)).toEqual(countsOfJourney(brand, journey));
  });

  it('are corrected if their days are stored in separate items', async () => {
    await counted(world);
    const { table } = world.deps();
    const counter = { of: 'program', programId: brand.program.id } as const;
    await moveCounts(table, counter, await findCounter(table, counter));
    await table.update(keys.counterMonth(counter, '2026-11'), { set: { 'sales@2026-11-18': 7 } });
    expect(await rebuild()).toEqual(rebuilt(2));
    expect(await counterItems(world)).toEqual(countsOfJourney(brand, journey));
  });

  it('are corrected if the error is in amounts paid out', async () => {
    await counted(world);
    const key = keys.counter({ of: 'partner', programId: brand.program.id, partnerId: journey.ben.partner.id });
    await world.deps().table.update(key, { set: { paidOutEUR: undefined, paidOutUSD: 7 } });
    expect(await rebuild()).toEqual(rebuilt(2));
    expect(await counterItems(world)).toEqual(countsOfJourney(brand, journey));
  });

  it('are created if nothing was counted before', async () => {
    expect(await rebuild()).toEqual(rebuilt(90));
    expect(await counterItems(world)).toEqual(countsOfJourney(brand, journey));
  });
});

describe('in a rebuild during which events arrive,', () => {
  it('a click that the stream has not counted yet is counted by the stream only, not by the rebuild as well', async () => {
    const other = await world.brand();
    await clicked(other);
    const settle = () => counted(world);
    expect(await rebuildOf(other, settle)).toEqual(rebuiltOf(other, 1, 0));
    expect((await counterItems(world))[`LINK#${other.shortLink}`]).toMatchObject({ clicks: 1 });
  });

  it('a past day is corrected even if other days change', async () => {
    const other = await world.brand();
    await clicked(other, { at: new Date('2026-11-20T10:00:00.000Z') });
    await counted(world);
    const key = keys.counter({ of: 'program', programId: other.program.id });
    await world.deps().table.update(key, { set: { 'clicks@2026-11-20': 17, clicks: 17 } });
    const later = async () => {
      await clicked(other, { at: new Date('2026-11-22T10:00:00.000Z') });
      await counted(world);
    };
    expect(await rebuildOf(other, later)).toEqual(rebuiltOf(other, 2, 2));
    const items = await counterItems(world);
    expect(items[`PROGRAM#${other.program.id}`]).toMatchObject({ 'clicks@2026-11-20': 1 });
  });

  it(
    'a counter that other transactions lock in every attempt is corrected in a later round',
    { tags: ['deep'] },
    async () => {
      const inConflict = refused('TransactionConflictException');
      const { pk } = counters().link;
      expect(await failingUpdateOf(pk, inConflict, rebuild)).toEqual(rebuilt(90));
      expect(await counterItems(world)).toEqual(countsOfJourney(brand, journey));
    },
  );

  it(
    'a day whose counter changes without an event is left unchanged, and is reported as open',
    { tags: ['deep'] },
    async () => {
      await counted(world);
      const count = async () => {
        const add = { clicks: 1, 'clicks@2026-11-20': 1, version: 1 };
        await world.deps().table.update(counters().program, { add });
        await probesPassed(world);
      };
      await count();
      expect(await rebuildOf(brand, count)).toEqual({ ...rebuilt(0), open: 1 });
      const items = await counterItems(world);
      expect(items[`PROGRAM#${brand.program.id}`]).toMatchObject({ 'clicks@2026-11-20': 2 + 2 });
    },
  );
});

const isProbe = ({ dynamodb }: DynamoDBRecord) => dynamodb?.Keys?.sk?.S === 'PROBE';

describe('a rebuild while the consumer of the stream is behind', () => {
  let other: Brand;
  const countsOf = async () => (await counterItems(world))[`LINK#${other.shortLink}`];
  beforeEach(async () => {
    await counted(world);
    other = await world.brand();
    await clicked(other);
  });

  it('changes nothing and fails if the consumer does not catch up in time, because events would be counted twice', async () => {
    const late = rebuildOf(other, async () => undefined);
    await expect(late).rejects.toThrow(
      'The counters are late, so nothing more was changed. ' +
        'Repeat the command when the alarm CountersLate is over: it continues where it was',
    );
    expect(await countsOf()).toBeUndefined();
    await counted(world);
    expect(await countsOf()).toMatchObject({ clicks: 1 });
  });

  it('waits, and has nothing to correct if the consumer catches up in time', async () => {
    let waits = 0;
    const found = await rebuildOf(other, async () => {
      if (++waits === 3) await counted(world);
    });
    expect(found).toEqual(rebuiltOf(other, 1, 0));
    expect(waits).toBe(3);
    expect(await countsOf()).toMatchObject({ clicks: 1 });
  });

  it('fails if the table fails and the consumer therefore does not catch up', { tags: ['deep'] }, async () => {
    const late = rebuildOf(other, async () => {
      const { pk } = keys.counter({ of: 'link', shortLink: other.shortLink });
      const records = await streamRecords(world);
      await failingUpdateOf(pk, refused('InternalServerError'), () => handler({ shardId: SHARD, Records: records }));
    });
    await expect(late).rejects.toThrow('The counters are late');
  });
});

it(
  'a rebuild writes enough marker records (probes) to reach every shard of a large table’s stream',
  { tags: 'deep' },
  async () => {
    const found = await rebuildMetrics(world.deps(), brand.program.id, { wait: () => probesPassed(world) });
    expect(found).toEqual(rebuilt(90));
    expect((await streamRecords(world)).filter(isProbe).length).toBeGreaterThanOrEqual(PROBES);
    expect(await counterItems(world)).toEqual(countsOfJourney(brand, journey));
  },
);

it('a rebuild is refused for a program that does not exist', async () => {
  await expect(rebuildMetrics(world.deps(), 4711)).rejects.toThrow('Program not found');
});

it(
  'a rebuild can correct a day on which the minutes with clicks are too many for one update',
  { tags: 'deep' },
  async () => {
    const other = await world.brand();
    const startedAt = world.deps().now.getTime();
    for (let minute = 0; minute < 40; minute++) await clicked(other, { at: new Date(startedAt - 60_000 * minute) });
    expect(await rebuildOf(other)).toEqual(rebuiltOf(other, 1, 44));
    const rebuiltItems = await counterItems(world);
    await forgetCounts(world);
    await counted(world);
    const { [`PROGRAM#${other.program.id}`]: program, [`LINK#${other.shortLink}`]: link } = await counterItems(world);
    expect(rebuiltItems).toEqual({
      [`PROGRAM#${other.program.id}`]: program,
      [`LINK#${other.shortLink}`]: link,
      [`PARTNER#${other.program.id}#${other.partner.id}`]: { clicks: 40, 'clicks@2026-11-20': 40 },
    });
    expect(Object.keys(program!)).toHaveLength(42);
  },
);
