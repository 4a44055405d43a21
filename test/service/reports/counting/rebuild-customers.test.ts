import { beforeAll, describe, expect, it } from 'vitest';
import { type Key, keys } from '#lib/service/ground/table/keys.ts';
import { rebuildCustomers } from '#lib/service/reports/counting/rebuild-customers.ts';
import { rebuildMetrics } from '#lib/service/reports/counting/rebuild-metrics.ts';
import { sharedProbes } from '#lib/service/reports/counting/shared-probes.ts';
import { type OwnedBrand, ownedBrand } from '#test/support/programs/commissions.ts';
import { clicked, settledLead, sold } from '#test/support/payments/lives/journeys.ts';
import { NOW } from '#test/support/callers/request.ts';
import { listingOf } from '#test/support/table/sale-items.ts';
import { type SentCall, sentCalls } from '#test/support/servers/sent-calls.ts';
import { counted, probesPassed } from '#test/support/table/stream.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

const world = openedWorld();
let own: OwnedBrand;

const minute = (n: number) => new Date(NOW.getTime() + n * 60_000);
const how = (wait: () => Promise<unknown>) => ({ wait, probes: 3 });
/** Rebuilds only the customers of a program. @returns what each portion corrected */
async function rebuildCustomersOf({ program }: OwnedBrand, wait: () => Promise<unknown>, most?: number) {
  const deps = world.deps();
  const untilCounted = sharedProbes(deps, how(wait));
  const counts: number[] = [];
  for await (const { corrected } of rebuildCustomers(deps, program.id, undefined, untilCounted, most)) {
    counts.push(corrected);
  }
  return counts;
}
const rebuild = (wait = () => probesPassed(world)) => rebuildMetrics(world.deps(), own.program.id, how(wait));

let names = 0;
/** Creates a customer with this many sales of 49.00 dollars, a minute apart. */
async function buyer(count: number, from = 0) {
  const clickId = await clicked(own);
  const ids = Array.from({ length: count }, () => `bought-${++names}`);
  for (const [n, id] of ids.entries())
    await sold(own, { transaction_id: id, click_id: clickId }, { at: minute(from + n) });
  return { clickId, ids, listings: ids.map((id, n) => listingOf(clickId, minute(from + n), id)) };
}

const pageOf = async (clickId: string) => (await own.owner.get(`${own.path}/customers/${clickId}`)).body.data;
const amountsOf = async (clickId: string) => (await pageOf(clickId)).customer.amounts;
const usd = (revenue: number, commission = revenue / 5, refunded = 0) => ({
  USD: { revenue_cents: revenue, refunded_cents: refunded, commission_cents: commission },
});
const remove = ({ pk, sk }: { readonly pk?: unknown; readonly sk?: unknown }) =>
  world.deps().table.transact([{ name: 'gone', key: { pk, sk } as Key, remove: true }]);
const isListing = ({ pk, sk }: Record<string, unknown>) =>
  String(pk).startsWith('CUSTOMER#') && String(sk).startsWith('SALE#');
const listings = async (clickId: string) => (await world.items(keys.customer(clickId).pk)).filter(isListing);
const counterOf = (clickId: string) => keys.counter({ of: 'customer', clickId });

describe('a rebuild of the amounts in the counters of customers', () => {
  beforeAll(async () => {
    own = await ownedBrand(world);
  });

  it('corrects amounts that are wrong or missing, for a customer with 120 sales as for one with 1', async () => {
    const [often, once, never] = [await buyer(120), await buyer(1), await buyer(2)];
    await counted(world);
    await world.deps().table.update(counterOf(often.clickId), { set: { revenueUSD: 7, refundedEUR: 3 } });
    await world.deps().table.update(counterOf(once.clickId), { set: { commissionUSD: undefined } });
    await remove(counterOf(never.clickId));
    await rebuild();
    expect(await amountsOf(often.clickId)).toEqual(usd(120 * 4900));
    expect(await amountsOf(once.clickId)).toEqual(usd(4900));
    expect(await amountsOf(never.clickId)).toEqual(usd(2 * 4900));
  });

  it('corrects customers in portions, and each customer once', async () => {
    // The third customer's sales are on another page of the program's sales.
    const buyers = [await buyer(2), await buyer(1), await buyer(3, 500)];
    await counted(world);
    for (const { clickId } of buyers) await world.deps().table.update(counterOf(clickId), { set: { revenueUSD: 1 } });
    let waits = 0;
    const wait = async () => {
      waits += 1;
      await probesPassed(world);
    };
    expect(await rebuildCustomersOf(own, wait, 2)).toEqual([2, 1]);
    expect(waits).toBe(2);
    for (const { clickId, ids } of buyers) expect(await amountsOf(clickId)).toEqual(usd(ids.length * 4900));
    const right = await sentCalls(() => rebuildCustomersOf(own, wait));
    const recounted = right.flatMap(({ name, input }) => (name === 'QueryCommand' ? recountedSale(input) : []));
    for (const id of buyers.flatMap(({ ids }) => ids)) {
      expect(recounted.filter((pk) => pk === keys.sale(id).pk)).toHaveLength(1);
    }
    expect(right.filter(({ name }) => !['QueryCommand', 'BatchGetCommand'].includes(name))).toEqual([]);
  });

  it('corrects nothing while the consumer of the stream is behind, and so counts no amount twice', async () => {
    const { clickId } = await buyer(1);
    // The first recount finds the sale in the events only.
    await rebuild(() => counted(world));
    expect(await amountsOf(clickId)).toEqual(usd(4900));
    await sold(own, { transaction_id: 'late', click_id: clickId });
    const late = rebuildCustomersOf(own, async () => undefined);
    await expect(late).rejects.toThrow('The counters are late');
    expect(await amountsOf(clickId)).toEqual(usd(4900));
    await counted(world);
    expect(await amountsOf(clickId)).toEqual(usd(9800));
  });

  it('leaves out a sale that a restore lost, even if the customer’s list of sales still contains it', async () => {
    const { clickId, ids, listings: all } = await buyer(2);
    await counted(world);
    await remove(keys.sale(ids[0]!));
    await remove(keys.commission(ids[0]!));
    await world.deps().table.update(counterOf(clickId), { set: { revenueUSD: 3 * 4900, commissionUSD: 1 } });
    await rebuild();
    expect(await listings(clickId)).toEqual(all);
    expect(await amountsOf(clickId)).toEqual(usd(4900));
  });

  it.each([5_000, 1])(
    'includes what a customer’s lead earned, with or without a sale, in portions of %d',
    async (most) => {
      const other = await ownedBrand(world, { leadCommissionCents: 500 });
      const amounts = async (clickId: string) =>
        (await other.owner.get(`${other.path}/customers/${clickId}`)).body.data.customer.amounts;
      const [signedUp, bought] = [await clicked(other), await clicked(other)];
      for (const clickId of [signedUp, bought]) await settledLead(other, { click_id: clickId });
      await sold(other, { transaction_id: `bought after its lead ${most}`, click_id: bought });
      await counted(world);
      const right = [usd(0, 500), usd(4900, 980 + 500)];
      expect([await amounts(signedUp), await amounts(bought)]).toEqual(right);
      for (const clickId of [signedUp, bought]) {
        await world.deps().table.update(counterOf(clickId), { set: { commissionUSD: 1 } });
      }
      await rebuildCustomersOf(other, () => probesPassed(world), most);
      expect([await amounts(signedUp), await amounts(bought)]).toEqual(right);
    },
  );

  it('leaves customers of other programs unchanged', async () => {
    const { clickId } = await buyer(1);
    await counted(world);
    await world.deps().table.update(counterOf(clickId), { set: { revenueUSD: 1 } });
    const other = await ownedBrand(world);
    await rebuildMetrics(
      world.deps(),
      other.program.id,
      how(() => probesPassed(world)),
    );
    expect(await amountsOf(clickId)).toEqual(usd(1, 980));
  });
});

/** The partition of a recounted sale, where all of its items are read. */
const recountedSale = (input: SentCall['input']): string[] => {
  const { ':pk': pk } = (input.ExpressionAttributeValues ?? {}) as Record<string, unknown>;
  return String(pk).startsWith('SALE#') ? [String(pk)] : [];
};
