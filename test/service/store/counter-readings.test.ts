import { beforeAll, describe, expect, it } from 'vitest';
import {
  countsOfLastDay,
  dailyCounts,
  linkCounts,
  partnerCounts,
  pendingCommissions,
} from '#lib/service/store/counter-readings.ts';
import { liveThroughJourney } from '#test/support/counted-journey.ts';
import { counted } from '#test/support/stream.ts';
import { sentCalls } from '#test/support/sent-calls.ts';
import { type Brand, openWorld, type World } from '#test/support/world.ts';

let world: World;
let brand: Brand;
let ben: Omit<Brand, 'key'>;
beforeAll(async () => {
  world = await openWorld();
  brand = await world.brand();
  ({ ben } = await liveThroughJourney(world, brand));
  await counted(world);
});

const table = () => world.deps().table;
const cents = { revenueCents: 0, refundedCents: 0, commissionCents: 0, platformFeeCents: 0, paidOutCents: 0 };

describe('the last 24 hours', () => {
  it.each([
    ['2026-11-20T14:59:59Z', { clicks: 0, leads: 0, sales: 0 }],
    ['2026-11-20T16:21:59Z', { clicks: 2, leads: 1, sales: 2 }],
    ['2026-11-21T09:05:00Z', { clicks: 3, leads: 2, sales: 5 }],
    ['2026-11-21T15:00:00Z', { clicks: 3, leads: 2, sales: 6 }],
    ['2026-11-21T16:21:00Z', { clicks: 2, leads: 1, sales: 4 }],
    ['2026-11-22T10:01:00Z', { clicks: 0, leads: 0, sales: 0 }],
  ])('at %s hold %j', async (now, expected) => {
    expect(await countsOfLastDay(table(), brand.program.id, new Date(now))).toEqual(expected);
  });

  it('take one call', async () => {
    const calls = await sentCalls(() => countsOfLastDay(table(), brand.program.id, new Date('2026-11-21T15:00:00Z')));
    expect(calls.map(({ name }) => name)).toEqual(['QueryCommand']);
  });
});

describe('pending commissions', () => {
  it.each([
    ['2026-11-21T10:00:00Z', 2],
    ['2026-12-04T23:59:59Z', 2],
    ['2026-12-05T00:00:00Z', 2],
    ['2026-12-05T16:19:00Z', 2],
    ['2026-12-05T16:20:00Z', 1],
    ['2026-12-05T16:22:00Z', 0],
    ['2027-01-01T00:00:00Z', 0],
  ])('at %s are %i by their hold, of 2 that are stored', async (now, held) => {
    expect(await pendingCommissions(table(), brand.program.id, new Date(now))).toEqual({ stored: 2, held });
  });

  it('are none in a program without commissions', async () => {
    const { program } = await world.brand();
    const now = new Date('2026-11-21T10:00:00Z');
    expect(await pendingCommissions(table(), program.id, now)).toEqual({ stored: 0, held: 0 });
  });
});

it('days: those on which something happened, both ends included', async () => {
  const days = await dailyCounts(table(), brand.program.id, '2026-11-18', '2026-11-20');
  expect([...days.keys()]).toEqual(['2026-11-18', '2026-11-20']);
  expect(days.get('2026-11-18')).toEqual({
    clicks: 0,
    leads: 0,
    sales: 1,
    amounts: { USD: { ...cents, revenueCents: 4900, commissionCents: 980, platformFeeCents: 172 } },
  });
});

describe('a partner', () => {
  it('has what came through it in this program', async () => {
    expect(await partnerCounts(table(), brand.program.id, ben.partner.id)).toEqual({
      clicks: 2,
      leads: 1,
      sales: 1,
      amounts: { EUR: { ...cents, revenueCents: 1000, commissionCents: 200, paidOutCents: 200 } },
    });
  });

  it('without events has zeros', async () => {
    expect(await partnerCounts(table(), brand.program.id, 4711)).toEqual({
      clicks: 0,
      leads: 0,
      sales: 0,
      amounts: {},
    });
  });
});

describe('a link', () => {
  it('has what came through it, and when last', async () => {
    expect(await linkCounts(table(), ben.shortLink)).toEqual({
      clicks: 2,
      leads: 1,
      sales: 1,
      lastClickedAt: '2026-11-21T09:04:00.000Z',
    });
  });

  it('without clicks has zeros', async () => {
    expect(await linkCounts(table(), 'nobody')).toEqual({ clicks: 0, leads: 0, sales: 0, lastClickedAt: undefined });
  });
});
