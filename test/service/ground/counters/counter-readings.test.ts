import { beforeAll, describe, expect, it } from 'vitest';
import { handler as click } from '#functions/track/click.ts';
import { type Counter, withoutZeros } from '#lib/service/ground/counters/counter.ts';
import {
  countsByDay,
  countsOf,
  countsOfLastDay,
  pendingCommissions,
  wholeCounter,
} from '#lib/service/ground/counters/counter-readings-items.ts';
import { findCounter, moveCounts } from '#lib/service/ground/counters/counters-items.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { countsOfJourney, type Journey, liveThroughJourney } from '#test/support/payments/lives/counted-journey.ts';
import { failing, overtakenBy, type TableCall } from '#test/support/table/faults.ts';
import { clicked } from '#test/support/payments/lives/journeys.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import { sentCalls } from '#test/support/servers/sent-calls.ts';
import { counted, deliver, streamRecords } from '#test/support/table/stream.ts';
import { type Brand, openWorld, type World } from '#test/support/programs/world.ts';

let world: World;
let brand: Brand;
let journey: Journey;

const table = () => world.deps().table;
const program = (): Counter => ({ of: 'program', programId: brand.program.id });
const partner = (): Counter => ({ of: 'partner', programId: brand.program.id, partnerId: journey.ben.partner.id });
const link = (): Counter => ({ of: 'link', shortLink: journey.ben.shortLink });
const cents = {
  revenueCents: 0,
  refundedCents: 0,
  commissionCents: 0,
  rejectedCents: 0,
  platformFeeCents: 0,
  paidOutCents: 0,
};
const nothing = { clicks: 0, botClicks: 0, repeatClicks: 0, leads: 0, sales: 0, amounts: {} };

const move = async (counter: Counter) => moveCounts(table(), counter, await findCounter(table(), counter));
const moveAll = async () => {
  for (const counter of [program(), partner(), link()]) await move(counter);
};

/** The names of the calls made by an action. */
const callsOf = async (run: () => Promise<unknown>) => (await sentCalls(run)).map(({ name }) => name);

const places = [
  // A program's counter outgrows its item during these two days; the other counters do not.
  { where: 'stored in the counter itself', count: () => counted(world), moves: { ofProgram: 1, ofLink: 0 } },
  {
    where: 'moved to other items',
    count: async () => {
      await counted(world);
      await moveAll();
    },
    moves: { ofProgram: 2, ofLink: 1 },
  },
  {
    where: 'partly moved and changed later',
    count: async () => {
      const records = await streamRecords(world);
      const half = records.findIndex(({ dynamodb }) => dynamodb?.NewImage?.transactionId?.S === 'eur-1');
      await deliver(records.slice(0, half));
      await moveAll();
      await deliver(records.slice(half));
    },
    moves: { ofProgram: 2, ofLink: 1 },
  },
];

describe.each(places)('counts that are $where', ({ count, moves }) => {
  beforeAll(async () => {
    world = await openWorld();
    brand = await world.brand();
    journey = await liveThroughJourney(world, brand);
    await count();
  });

  describe('for the last 24 hours', () => {
    it.each([
      ['2026-11-20T14:59:59Z', { clicks: 0, leads: 0, sales: 0 }],
      ['2026-11-20T16:21:59Z', { clicks: 2, leads: 1, sales: 2 }],
      ['2026-11-21T09:05:00Z', { clicks: 3, leads: 2, sales: 5 }],
      ['2026-11-21T15:00:00Z', { clicks: 3, leads: 2, sales: 6 }],
      ['2026-11-21T16:21:00Z', { clicks: 2, leads: 1, sales: 4 }],
      ['2026-11-22T10:01:00Z', { clicks: 0, leads: 0, sales: 0 }],
    ])('at %s are %j', async (now, expected) => {
      expect(await countsOfLastDay(table(), brand.program.id, new Date(now))).toEqual(expected);
    });

    it('are read by one call for the counter and one for its hours', async () => {
      const now = new Date('2026-11-21T15:00:00Z');
      expect(await callsOf(() => countsOfLastDay(table(), brand.program.id, now))).toEqual([
        'BatchGetCommand',
        'QueryCommand',
      ]);
    });
  });

  describe('for pending commissions', () => {
    it.each([
      ['2026-11-21T10:00:00Z', 2],
      ['2026-12-04T23:59:59Z', 2],
      ['2026-12-05T00:00:00Z', 2],
      ['2026-12-05T16:19:00Z', 2],
      ['2026-12-05T16:20:00Z', 1],
      ['2026-12-05T16:22:00Z', 0],
      ['2027-01-01T00:00:00Z', 0],
    ])('at %s are 2 as stored, of which %i have a hold that has not ended yet', async (now, held) => {
      expect(await pendingCommissions(table(), brand.program.id, new Date(now))).toEqual({ stored: 2, held });
    });

    it('are 0 for a program without commissions', async () => {
      const other = await world.brand();
      const now = new Date('2026-11-21T10:00:00Z');
      expect(await pendingCommissions(table(), other.program.id, now)).toEqual({ stored: 0, held: 0 });
    });
  });

  describe('by day', () => {
    it('contain the days with events from the first to the last day of the period', async () => {
      const days = await countsByDay(table(), program(), '2026-11-18', '2026-11-20');
      expect([...days.keys()].toSorted()).toEqual(['2026-11-18', '2026-11-20']);
      expect(days.get('2026-11-18')).toEqual({
        clicks: 0,
        botClicks: 0,
        repeatClicks: 0,
        leads: 0,
        sales: 1,
        amounts: { USD: { ...cents, revenueCents: 4900, commissionCents: 980, platformFeeCents: 172 } },
      });
    });

    it('can be read for a partner and for a link', async () => {
      const ofBen = new Map([
        ['2026-11-20', { ...nothing, clicks: 1 }],
        [
          '2026-11-21',
          {
            clicks: 1,
            botClicks: 0,
            repeatClicks: 0,
            leads: 1,
            sales: 1,
            amounts: { EUR: { ...cents, revenueCents: 1000, commissionCents: 200, platformFeeCents: 35 } },
          },
        ],
      ]);
      expect(await countsByDay(table(), partner(), '2026-11-18', '2026-11-30')).toEqual(ofBen);
      expect(await countsByDay(table(), link(), '2026-11-18', '2026-11-30')).toEqual(ofBen);
    });
  });

  describe('for all time', () => {
    const amounts = { ...cents, revenueCents: 1000, commissionCents: 200, platformFeeCents: 35 };

    it('of a partner include only the events in this program', async () => {
      expect(await countsOf(table(), partner())).toEqual({
        clicks: 2,
        botClicks: 0,
        repeatClicks: 0,
        leads: 1,
        sales: 1,
        amounts: { EUR: { ...amounts, paidOutCents: 200 } },
        lastClickedAt: undefined,
      });
    });

    it('of a link include the time of its latest click', async () => {
      expect(await countsOf(table(), link())).toEqual({
        clicks: 2,
        botClicks: 0,
        repeatClicks: 0,
        leads: 1,
        sales: 1,
        amounts: { EUR: amounts },
        lastClickedAt: '2026-11-21T09:04:00.000Z',
      });
    });

    it('are 0 without events', async () => {
      const unknown: Counter[] = [
        { of: 'partner', programId: brand.program.id, partnerId: 4711 },
        { of: 'link', shortLink: 'nobody' },
      ];
      for (const counter of unknown) {
        expect(await countsOf(table(), counter)).toEqual({ ...nothing, lastClickedAt: undefined });
      }
    });

    it('are read by one call', async () => {
      expect(await callsOf(() => countsOf(table(), link()))).toEqual(['BatchGetCommand']);
    });
  });

  describe('for a period', () => {
    const lastClickedAt = '2026-11-21T09:04:00.000Z';

    it.each([
      ['2026-11-01', '2026-11-20', { ...nothing, clicks: 1, lastClickedAt }],
      [
        '2026-11-21',
        '2027-01-31',
        {
          clicks: 1,
          botClicks: 0,
          repeatClicks: 0,
          leads: 1,
          sales: 1,
          amounts: { EUR: { ...cents, revenueCents: 1000, commissionCents: 200, platformFeeCents: 35 } },
          lastClickedAt,
        },
      ],
      ['2026-10-01', '2026-11-19', { ...nothing, lastClickedAt }],
    ])('from %s to %s are the sums of its days', async (from, to, expected) => {
      expect(await countsOf(table(), link(), { from, to })).toEqual(expected);
    });

    it('are read by one call for all counters, and one more if months are stored in separate items', async () => {
      const period = { from: '2026-10-01', to: '2026-12-31' };
      const { table: one } = world.deps();
      const both = () => Promise.all([countsOf(one, link(), period), countsOf(one, partner(), period)]);
      expect(await callsOf(both)).toEqual(
        moves.ofLink > 0 ? ['BatchGetCommand', 'BatchGetCommand'] : ['BatchGetCommand'],
      );
    });
  });

  it('equal the events when the counts of all days are added up', async () => {
    const { item, counts } = await wholeCounter(table(), program());
    expect(withoutZeros(counts)).toEqual(countsOfJourney(brand, journey)[`PROGRAM#${brand.program.id}`]);
    expect(item.moves).toBe(moves.ofProgram);
    expect((await findCounter(table(), link())).moves).toBe(moves.ofLink);
  });
});

it('the counts of the last 24 hours are read by one call if the program’s counter is a single item', async () => {
  const small = await world.brand();
  await clicked(small);
  await counted(world);
  const lastDay = () => countsOfLastDay(table(), small.program.id, NOW);
  expect(await lastDay()).toEqual({ clicks: 1, leads: 0, sales: 0 });
  expect(await callsOf(lastDay)).toEqual(['BatchGetCommand']);
});

/** Counts events and moves counts once, then adds events that may be moved as well. */
async function movedOnce(): Promise<void> {
  await counted(world);
  await moveAll();
  await send(click, { body: { affiliate_url: journey.ben.affiliateUrl }, at: new Date('2026-11-21T12:00:00.000Z') });
  await counted(world);
}

describe('counts that are moved to items of their months between two reads of their counter', () => {
  beforeAll(async () => {
    world = await openWorld();
    brand = await world.brand();
    journey = await liveThroughJourney(world, brand);
  });

  it.each<[string, TableCall, () => Counter, () => Promise<unknown>]>([
    ['of days', 'query', program, () => countsByDay(table(), program(), '2026-11-01', '2026-11-30')],
    ['of pending commissions', 'query', program, () => pendingCommissions(table(), brand.program.id, new Date(AT))],
    ['of the last 24 hours', 'query', program, () => countsOfLastDay(table(), brand.program.id, new Date(AT))],
    ['of all time', 'query', program, async () => (await wholeCounter(table(), program())).counts],
    ['of a period', 'second read', link, () => countsOf(table(), link(), { from: '2026-11-01', to: '2026-11-30' })],
  ])('%s are read again, so that none is counted twice', async (_, call, counterOf, read) => {
    await movedOnce();
    const right = await read();
    const { moves } = await findCounter(table(), counterOf());
    expect(
      await failing(
        call,
        overtakenBy(() => move(counterOf())),
        read,
      ),
    ).toEqual(right);
    expect((await findCounter(table(), counterOf())).moves).toBe(moves + 1);
    expect(await read()).toEqual(right);
  });

  it('are returned as the fifth attempt read them if they are moved during each of the five attempts', async () => {
    await movedOnce();
    const counter = program();
    await table().update(keys.counterMonth(counter, '2026-11'), { set: { moves: 1_000 } });
    const calls = await callsOf(() => countsByDay(table(), counter, '2026-11-01', '2026-11-30'));
    expect(calls).toEqual(Array.from({ length: 5 }, () => ['BatchGetCommand', 'QueryCommand']).flat());
  });
});

const AT = '2026-11-21T15:00:00.000Z';
