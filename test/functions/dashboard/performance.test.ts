import { beforeAll, describe, expect, it } from 'vitest';
import { type OwnedBrand, ownedBrand } from '#test/support/commissions.ts';
import { platformError } from '#test/support/errors.ts';
import { countedHeaders } from '#test/support/headers.ts';
import { openWorld, type World } from '#test/support/world.ts';

// What the counters hold is tested with the counters; here: the period and the shape. NOW is 2026-11-20.

let world: World;
let own: OwnedBrand;
beforeAll(async () => {
  world = await openWorld();
  own = await ownedBrand(world);
});

const nothing = { clicks: 0, leads: 0, sales: 0, amounts: {} };

describe('200', () => {
  it('has a row for every day, zeros included, and the equally long period before', async () => {
    const fresh = await ownedBrand(world);
    expect(await fresh.owner.get(`${fresh.path}/performance?from=2026-02-27&to=2026-03-01`)).toEqual({
      status: 200,
      headers: countedHeaders(300),
      body: {
        data: {
          from: '2026-02-27',
          to: '2026-03-01',
          days: [
            { date: '2026-02-27', ...nothing },
            { date: '2026-02-28', ...nothing },
            { date: '2026-03-01', ...nothing },
          ],
          totals: nothing,
          previous: { from: '2026-02-24', to: '2026-02-26', totals: nothing },
        },
      },
    });
  });

  it.each([
    ['', '2026-10-22', '2026-11-20', 30],
    ['from=2026-11-19', '2026-11-19', '2026-11-20', 2],
    ['to=2026-03-01', '2026-01-31', '2026-03-01', 30],
    ['from=2026-01-01&to=2026-12-31', '2026-01-01', '2026-12-31', 365],
    ['from=2023-12-31&to=2024-12-30', '2023-12-31', '2024-12-30', 366],
    ['from=0000-01-01&to=0000-01-02', '0000-01-01', '0000-01-02', 2],
    ['from=9999-12-31&to=9999-12-31', '9999-12-31', '9999-12-31', 1],
  ])('%j is %s to %s, %i days', async (query, from, to, length) => {
    const { status, body } = await own.owner.get(`${own.path}/performance?${query}`);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ from, to, days: { length } });
    expect([body.data.days[0].date, body.data.days.at(-1).date]).toEqual([from, to]);
  });
});

describe('400', () => {
  it.each([
    ['from=x&to=y', 'from must be a date (YYYY-MM-DD)'],
    ['to=2026-13-01', 'to must be a date (YYYY-MM-DD)'],
    ['from=2026-11-02&to=2026-11-01', 'from must not be after to'],
    ['from=2026-11-21', 'from must not be after to'],
    ['from=2025-01-01&to=2026-01-02', 'The range must not exceed 366 days'],
    ['from=2020-01-01', 'The range must not exceed 366 days'],
  ])('%s: %s', async (query, message) => {
    expect(await own.owner.get(`${own.path}/performance?${query}`)).toMatchObject({
      status: 400,
      body: platformError(400, message),
    });
  });
});
