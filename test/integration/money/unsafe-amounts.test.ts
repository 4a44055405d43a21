import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SaleCommission } from '#lib/service/earnings/commissions/commission.ts';
import { commissionListing } from '#lib/service/earnings/commissions/commission-listings-items.ts';
import { type Key, keys } from '#lib/service/ground/table/keys.ts';
import { rebuildMetrics } from '#lib/service/reports/counting/rebuild-metrics.ts';
import { type OwnedBrand, ownedBrand } from '#test/support/programs/commissions.ts';
import { clicked, soldTo } from '#test/support/payments/lives/journeys.ts';
import { counted, counterItems, forgetCounts, probesPassed } from '#test/support/table/stream.ts';
import { type Brand, openWorld, type World } from '#test/support/programs/world.ts';

const LARGEST = Number.MAX_SAFE_INTEGER;
/** The sum of two amounts of the largest safe integer. */
const SUM = '18014398509481982';
const DAY = '2026-11-20';

let world: World;
let brand: OwnedBrand;
let neighbour: Brand;

/** Stores a sale and its commission as they were before amounts had a limit. */
async function oldSale(transactionId: string): Promise<number> {
  const { commission_id: id } = await soldTo(brand, transactionId, { transaction_id: transactionId });
  const { table } = world.deps();
  await table.update(keys.sale(transactionId), { set: { amountCents: LARGEST } });
  const key = keys.commission(transactionId);
  const change = { amountCents: LARGEST, baseAmountCents: LARGEST, status: 'approved' } as const;
  const commission = { ...(await table.get<SaleCommission>(key))!, ...change };
  await table.update(key, { set: { ...change, ...commissionListing(commission) } });
  return id;
}

/** Reads an item with all digits of its numbers. */
async function exactly({ pk, sk }: Key): Promise<Record<string, unknown>> {
  const { Item = {} } = await world.client.send(
    new GetItemCommand({ TableName: world.tableName, Key: { pk: { S: pk }, sk: { S: sk } } }),
  );
  return Object.fromEntries(Object.entries(Item).map(([name, value]) => [name, value.N ?? value.S]));
}

const programKey = () => keys.counter({ of: 'program', programId: brand.program.id });
/** A value both as a total and for the day. */
const onDay = (what: string, value: unknown) => ({ [what]: value, [`${what}@${DAY}`]: value });
const amounts = { revenue_cents: LARGEST, refunded_cents: 0, commission_cents: LARGEST };

describe('two old sales whose sum is above the largest safe integer of JavaScript', () => {
  let ids: number[];
  beforeAll(async () => {
    world = await openWorld();
    brand = await ownedBrand(world, { commissionRate: 100 });
    neighbour = await world.brand();
    const first = await oldSale('old-1');
    await clicked(neighbour);
    ids = [first, await oldSale('old-2')];
  });
  beforeEach(async () => {
    await forgetCounts(world);
    await counted(world);
  });

  it('are counted to the cent, as are the amounts of all other programs', async () => {
    const items = await counterItems(world);
    expect(items[`PROGRAM#${brand.program.id}`]).toMatchObject({
      ...onDay('clicks', 2),
      ...onDay('leads', 2),
      ...onDay('sales', 2),
    });
    expect(items[`PROGRAM#${neighbour.program.id}`]).toEqual({ ...onDay('clicks', 1), [`clicks@${DAY}T15:00`]: 1 });
    const { program, partner, shortLink } = brand;
    for (const counter of [
      { of: 'program', programId: program.id },
      { of: 'partner', programId: program.id, partnerId: partner.id },
      { of: 'link', shortLink },
    ] as const) {
      expect(await exactly(keys.counter(counter))).toMatchObject({
        ...onDay('revenueUSD', SUM),
        ...onDay('commissionUSD', SUM),
      });
    }
  });

  it('are shown as the largest safe integer in the program’s performance', async () => {
    const { status, body } = await brand.owner.get(`${brand.path}/performance?from=${DAY}&to=${DAY}`);
    expect(status).toBe(200);
    expect(body.data.totals).toMatchObject({ clicks: 2, leads: 2, sales: 2, amounts: { USD: amounts } });
  });

  it('are shown as the largest safe integer in the list of partners', async () => {
    const { status, body } = await brand.owner.get(`${brand.path}/partners`);
    expect(status).toBe(200);
    expect(body.data).toMatchObject([{ sales: 2, amounts: { USD: { commission_cents: LARGEST } } }]);
  });

  it('are left unchanged by a rebuild of the counters, which corrects the other counts', async () => {
    const { table } = world.deps();
    const rebuild = () =>
      rebuildMetrics(world.deps(), brand.program.id, { wait: () => probesPassed(world), probes: 3 });
    expect(await rebuild()).toMatchObject({ programId: brand.program.id, days: 1, open: 0, unsettled: 0 });
    expect(await exactly(programKey())).toMatchObject(onDay('revenueUSD', SUM));
    await table.update(programKey(), { set: onDay('clicks', 17) });
    expect(await rebuild()).toMatchObject({ programId: brand.program.id, days: 1, open: 0, unsettled: 0 });
    expect(await exactly(programKey())).toMatchObject({
      ...onDay('clicks', '2'),
      ...onDay('sales', '2'),
      ...onDay('revenueUSD', SUM),
    });
  });

  it('are paid out in two payouts, each once', async () => {
    const pay = () => brand.owner.post(`${brand.path}/payouts`, {});
    const paid: unknown[] = [];
    for (const reply of [await pay(), await pay()]) {
      expect(reply.status).toBe(200);
      expect(reply.body.data.items).toMatchObject([{ partner_id: brand.partner.id, amount_cents: LARGEST }]);
      paid.push(...reply.body.data.items[0].commission_ids);
    }
    expect(paid).toEqual(ids);
    expect((await pay()).status).toBe(409);
    await counted(world);
    expect(
      await exactly(keys.counter({ of: 'partner', programId: brand.program.id, partnerId: brand.partner.id })),
    ).toMatchObject({ paidOutUSD: SUM });
  });
});
