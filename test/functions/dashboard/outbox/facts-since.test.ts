import { describe, expect, it } from 'vitest';
import { ownedBrand } from '#test/support/programs/commissions.ts';
import { storeFact } from '#lib/service/outbox/facts/facts-items.ts';
import { everyPage } from '#test/support/callers/dashboard.ts';
import { someFact } from '#test/support/outbox/deliveries.ts';
import { NOW } from '#test/support/callers/request.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { opened } from '#test/support/cases/opened.ts';

const world = openedWorld({ hasFacts: true });
const own = opened(() => ownedBrand(world));

const minutesAgo = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000);

const idsSince = async (since: string) => {
  const pages = await everyPage(own.owner, `${own.path}/facts?since=${since}&limit=2`);
  return pages.flat().map(({ id }) => id);
};

describe('GET /programs/{id}/facts?since=, the list of facts (webhook events),', () => {
  it('lists the facts from that time on, in pages', async () => {
    const facts = [90, 60, 59, 1, 0].map((minutes) => {
      const data = { program_id: own.program.id, is_test: false };
      return someFact(own, { type: 'endpoint.test', timestamp: minutesAgo(minutes).toISOString(), data });
    });
    for (const fact of facts) await storeFact(world.deps().table, fact);
    const ids = facts.map(({ id }) => id);
    expect(await idsSince(minutesAgo(60).toISOString())).toEqual(ids.slice(1));
    expect(await idsSince(new Date(minutesAgo(60).getTime() + 1).toISOString())).toEqual(ids.slice(2));
    expect(await idsSince('1969-12-31T23:59:59.000Z')).toEqual(ids);
    expect(await idsSince('9999-12-31T23:59:59.999Z')).toEqual([]);
    expect(await idsSince(`${minutesAgo(60).toISOString()}&id=${ids[1]}`)).toEqual([ids[1]]);
    expect(await idsSince(`${minutesAgo(59).toISOString()}&id=${ids[1]}`)).toEqual([]);
  });

  it('refuses a cursor from a list with another start time', async () => {
    const url = `${own.path}/facts?limit=1`;
    const { body } = await own.owner.get(`${url}&since=${minutesAgo(60).toISOString()}`);
    const { status } = await own.owner.get(`${url}&cursor=${body.meta.next_cursor}`);
    expect(status).toBe(400);
  });

  it.each([
    'yesterday',
    '',
    '2026-11-22',
    '2026-11-22T10:00:00Z',
    '2026-11-22T10:00:00.000+01:00',
    '2026-02-30T10:00:00.000Z',
  ])('refuses %j as a start time', async (since) => {
    const { status, body } = await own.owner.get(`${own.path}/facts?since=${encodeURIComponent(since)}`);
    expect({ status, message: body.error.message }).toEqual({
      status: 400,
      message: 'since must be a UTC time (YYYY-MM-DDTHH:MM:SS.sssZ)',
    });
  });
});
