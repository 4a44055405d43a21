import { describe, expect, it } from 'vitest';
import { type OwnedBrand, ownedBrand } from '#test/support/programs/commissions.ts';
import { platformError, refusal } from '#test/support/servers/errors.ts';
import { dataReply } from '#test/support/callers/replies.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { opened } from '#test/support/cases/opened.ts';

// The counters have separate tests; these test the period and the format. NOW is 2026-11-20.

const world = openedWorld();
const own = opened(() => ownedBrand(world));

const nothing = { clicks: 0, bot_clicks: 0, repeat_clicks: 0, leads: 0, sales: 0, amounts: {} };

/** The routes for a program, for its partner and for that partner's link. */
const routes: [string, (of: OwnedBrand) => string][] = [
  ['a program', ({ path }) => `${path}/performance`],
  ['a partner', ({ path, partner }) => `${path}/partners/${partner.id}/performance`],
  ['a link', ({ path, shortLink }) => `${path}/links/${shortLink}/performance`],
];

describe.each(routes)('GET performance of %s is answered 200', (_, url) => {
  it('and has a row for every day, even without events, and the totals of the equally long period before', async () => {
    const fresh = await ownedBrand(world);
    expect(await fresh.owner.get(`${url(fresh)}?from=2026-02-27&to=2026-03-01`)).toEqual(
      dataReply({
        from: '2026-02-27',
        to: '2026-03-01',
        days: [
          { date: '2026-02-27', ...nothing },
          { date: '2026-02-28', ...nothing },
          { date: '2026-03-01', ...nothing },
        ],
        totals: nothing,
        previous: { from: '2026-02-24', to: '2026-02-26', totals: nothing },
      }),
    );
  });

  it.each([
    ['', '2026-10-22', '2026-11-20', 30],
    ['from=2026-11-19', '2026-11-19', '2026-11-20', 2],
    ['to=2026-03-01', '2026-01-31', '2026-03-01', 30],
    ['from=2026-01-01&to=2026-12-31', '2026-01-01', '2026-12-31', 365],
    ['from=2023-12-31&to=2024-12-30', '2023-12-31', '2024-12-30', 366],
    ['from=0000-01-01&to=0000-01-02', '0000-01-01', '0000-01-02', 2],
    ['from=9999-12-31&to=9999-12-31', '9999-12-31', '9999-12-31', 1],
  ])('and with the query %j covers %s to %s, %i days', async (query, from, to, length) => {
    const { status, body } = await own.owner.get(`${url(own)}?${query}`);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ from, to, days: { length } });
    expect([body.data.days[0].date, body.data.days.at(-1).date]).toEqual([from, to]);
  });
});

describe('GET performance is answered 404', () => {
  it.each(['999999', '0', 'x'])('“Partner not found” for the partner id %s', async (id) => {
    expect(await own.owner.get(`${own.path}/partners/${id}/performance?from=x`)).toMatchObject(
      refusal(404, 'Partner not found'),
    );
  });

  it('“Partner not found” for another program’s partner, before other errors are checked', async () => {
    const other = await ownedBrand(world);
    expect((await own.owner.get(`${own.path}/partners/${other.partner.id}/performance`)).body).toEqual(
      platformError(404, 'Partner not found'),
    );
  });

  it('“Link not found” for a link of another program or of verification runs, a name in other case and an invalid name', async () => {
    const other = await ownedBrand(world);
    await own.owner.post(`${own.path}/verification`);
    const testLink = `afftest${own.program.id}`;
    expect(await world.items(`LINK#${testLink}`)).toHaveLength(1);
    for (const name of [other.shortLink, testLink, own.shortLink.toUpperCase(), 'x', 'a%20b', 'x'.repeat(3000)]) {
      expect(await own.owner.get(`${own.path}/links/${name}/performance?from=x`)).toMatchObject(
        refusal(404, 'Link not found'),
      );
    }
  });
});

it('the path of GET performance accepts a percent-encoded link name', async () => {
  const name = own.shortLink.replace('a', '%61');
  expect((await own.owner.get(`${own.path}/links/${name}/performance`)).status).toBe(200);
});

it('GET performance still shows the figures of a removed partner and of that partner’s links', async () => {
  const fresh = await ownedBrand(world);
  await fresh.owner.patch(`${fresh.path}/partners/${fresh.partner.id}`, { status: 'removed' });
  for (const [, url] of routes) expect((await fresh.owner.get(url(fresh))).status).toBe(200);
});
