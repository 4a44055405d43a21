import { describe, expect, it } from 'vitest';
import { newCommission } from '#lib/service/earnings/commissions/commission.ts';
import { commissionWrites } from '#lib/service/earnings/commissions/commissions-items.ts';
import { rebuildMetrics } from '#lib/service/reports/counting/rebuild-metrics.ts';
import { earned, type OwnedBrand, ownedBrand } from '#test/support/programs/commissions.ts';
import { everyPage } from '#test/support/callers/dashboard.ts';
import { withShortPages } from '#test/support/table/faults.ts';
import { clicked } from '#test/support/payments/lives/journeys.ts';
import { NOW, type TestReply } from '#test/support/callers/request.ts';
import { sentCalls, unitsOf } from '#test/support/servers/sent-calls.ts';
import { probesPassed } from '#test/support/table/stream.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { termsOf } from '#test/support/payments/terms.ts';

const world = openedWorld();

const COUNT = 2_500;
const RARE = 1_234;

/**
 * Commissions of one partner, and the three oldest of another; written without their sales.
 * @returns these three ids
 */
async function earnedMany(own: OwnedBrand): Promise<number[]> {
  const terms = termsOf();
  const ids = Array.from({ length: COUNT }, (_, n) => 1_000_000 + n);
  const writes = ids.flatMap((id, n) => {
    const at = new Date(NOW.getTime() + n).toISOString();
    const partnerId = n < 3 ? RARE : own.partner.id;
    const names = { id, saleId: id, programId: own.program.id, partnerId, clickId: `clk_${'0'.repeat(26)}` };
    const sale = { ...names, transactionId: `many_${id}`, occurredAt: at, createdAt: at, actor: 'api' } as const;
    return commissionWrites(
      newCommission(sale, terms, { amountCents: 1000, currency: 'USD', isRecurring: false, paidAt: NOW }),
    );
  });
  const { table } = world.deps();
  for (let first = 0; first < writes.length; first += 100) await table.transact(writes.slice(first, first + 100));
  return ids.slice(0, 3);
}

describe('a filter of the commissions that matches almost none of them', () => {
  it('reads a bounded number of items per request and finds all matches page by page', { tags: ['deep'] }, async () => {
    const own = await ownedBrand(world);
    const rare = await earnedMany(own);
    // The commissions of a partner are listed apart, so all of them are read at once.
    for (const [filter, found, most] of [
      [`partner_id=${RARE}`, rare.toReversed(), 1],
      ['status=rejected', [], Math.ceil(COUNT / 426)],
    ] as const) {
      const rows: unknown[] = [];
      let requests = 0;
      for (let cursor: string | null = ''; cursor !== null; requests++) {
        const url = `${own.path}/commissions?${filter}${cursor && `&cursor=${cursor}`}`;
        const replies: TestReply[] = [];
        const calls = await sentCalls(async () => replies.push(await own.owner.get(url)));
        // Read units: at most 26, four times a hundred commissions of one unit each, their names in the index, and the
        // caller.
        expect(unitsOf(calls).read).toBeLessThanOrEqual(450);
        expect(calls.length).toBeLessThanOrEqual(15);
        const { data, meta } = replies[0]!.body;
        rows.push(...data.map(({ id }: { id: number }) => id));
        cursor = meta.next_cursor;
      }
      expect(rows).toEqual(found);
      expect(requests).toBe(most);
    }
  });
});

describe('if a query of an index returns fewer rows than its limit,', () => {
  it('the pages of each list still contain every row, in the same order', async () => {
    const own = await ownedBrand(world);
    await earned(own, 5);
    for (let n = 0; n < 5; n++) {
      await clicked(own);
      await own.owner.post(`${own.path}/partners`, { name: `P${n}`, email: `p${n}@partners.test` });
      await own.owner.post(`${own.path}/links`, { partner_id: own.partner.id });
    }
    for (const list of ['commissions', 'commissions?status=pending', 'partners', 'links', 'events?include_test=1']) {
      const whole = (await everyPage(own.owner, `${own.path}/${list}`)).flat();
      expect(whole.length).toBeGreaterThanOrEqual(5);
      expect((await withShortPages(() => everyPage(own.owner, `${own.path}/${list}`))).flat()).toEqual(whole);
    }
    expect((await withShortPages(() => own.owner.get(`${own.path}/commissions.csv`))).body).toBe(
      (await own.owner.get(`${own.path}/commissions.csv`)).body,
    );
  });

  it('a rebuild of the counters still counts every event', async () => {
    const own = await ownedBrand(world);
    for (let n = 0; n < 5; n++) await clicked(own);
    await withShortPages(() =>
      rebuildMetrics(world.deps(), own.program.id, { wait: () => probesPassed(world), probes: 3 }),
    );
    const { body } = await own.owner.get(`${own.path}/links`);
    expect(body.data).toMatchObject([{ clicks: 5 }]);
  });
});
