import { beforeAll, describe, expect, it } from 'vitest';
import { factTypes } from '#lib/service/outbox/facts/fact.ts';
import { storeFact } from '#lib/service/outbox/facts/facts-items.ts';
import { ownedBrand, type OwnedBrand } from '#test/support/programs/commissions.ts';
import { dashboard, everyPage } from '#test/support/callers/dashboard.ts';
import { someFact } from '#test/support/outbox/deliveries.ts';
import { platformError } from '#test/support/servers/errors.ts';
import { memberOf } from '#test/support/programs/people.ts';
import { NOW } from '#test/support/callers/request.ts';
import { factsReply } from '#test/support/callers/replies.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

const world = openedWorld({ hasFacts: true });
let own: OwnedBrand;
let path: string;
beforeAll(async () => {
  own = await ownedBrand(world);
  path = `${own.path}/facts`;
});

const before = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000).toISOString();
const testFact = (brand: OwnedBrand, minutes: number, more: object = {}) =>
  someFact(brand, {
    type: 'endpoint.test',
    timestamp: before(minutes),
    data: { program_id: brand.program.id, is_test: true },
    ...more,
  });
const rotation = (brand: OwnedBrand, minutes: number) =>
  testFact(brand, minutes, {
    type: 'key.rotation_due',
    data: { program_id: brand.program.id, is_test: false, rotate_by: NOW.toISOString() },
  });
const row = ({ id, type, timestamp, data }: ReturnType<typeof testFact>) => ({ id, type, timestamp, data });

describe('GET /programs/{id}/facts, the list of facts (webhook events),', () => {
  it('lists facts to owners and members, oldest first, and filters by type', async () => {
    const facts = [testFact(own, 3), rotation(own, 2), testFact(own, 1)];
    for (const fact of facts.toReversed()) await storeFact(world.deps().table, fact);
    expect(await own.owner.get(path)).toEqual(factsReply(facts.map(row), NOW.toISOString()));
    const member = await memberOf(world, { id: own.program.workspaceId });
    const { body } = await dashboard(member.token).get(`${path}?type=key.rotation_due`);
    expect(body).toEqual({ data: [row(facts[1]!)], meta: { next_cursor: null, since: NOW.toISOString() } });
  });

  it('lists many facts page by page, for any page size', { timeout: 30_000 }, async () => {
    const long = await ownedBrand(world);
    const facts = Array.from({ length: 700 }, (_, n) => (n === 699 ? rotation(long, 0) : testFact(long, 1_000 - n)));
    const { table } = world.deps();
    for (let at = 0; at < facts.length; at += 50) {
      await Promise.all(facts.slice(at, at + 50).map((fact) => storeFact(table, fact)));
    }
    const pages = await everyPage(long.owner, `${long.path}/facts?limit=100`);
    expect(pages.map(({ length }) => length)).toEqual([100, 100, 100, 100, 100, 100, 100]);
    expect(pages.flat()).toEqual(facts.map(row));
    const found = await everyPage(long.owner, `${long.path}/facts?limit=10&type=key.rotation_due`);
    expect(found.length).toBeGreaterThan(1);
    expect(found.flat()).toEqual([row(facts.at(-1)!)]);
  });

  it('lists fewer facts per page if they are long, so that the reply stays below the size limit', async () => {
    const wide = await ownedBrand(world);
    const item = {
      partner_id: 1,
      partner_name: 'x'.repeat(250),
      partner_email: null,
      currency: 'USD',
      amount_cents: 1,
    };
    const data = {
      program_id: wide.program.id,
      is_test: false,
      id: 1,
      status: 'made',
      through: null,
      reference: null,
      created_by: 'account:1',
      created_at: NOW.toISOString(),
      items: Array.from({ length: 2_000 }, () => item),
      totals: { USD: 2_000 },
      lines: 2_000,
      by_status: {
        ...Object.fromEntries(['sent', 'paid', 'failed', 'void'].map((status) => [status, { lines: 0, totals: {} }])),
        recorded: { lines: 2_000, totals: { USD: 2_000 } },
      },
      progress: null,
    };
    const facts = [4, 3, 2, 1, 0].map((minutes) => testFact(wide, minutes, { type: 'payout.created', data }));
    for (const fact of facts) await storeFact(world.deps().table, fact);
    const pages = await everyPage(wide.owner, `${wide.path}/facts`);
    expect(pages.length).toBeGreaterThan(1);
    for (const page of pages) expect(JSON.stringify(page).length).toBeLessThan(5_000_000);
    expect(pages.flat()).toEqual(facts.map(row));
  });

  it('is answered 400 “Invalid type” for an unknown type', async () => {
    const invalid = `Invalid type: sale.made. Valid: ${factTypes.join(', ')}`;
    expect((await own.owner.get(`${path}?type=sale.made`)).body).toEqual(platformError(400, invalid));
  });
});
