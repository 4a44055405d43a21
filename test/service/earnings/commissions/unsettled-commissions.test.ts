import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { handler as refund } from '#functions/track/refund.ts';
import { correctListings } from '#lib/service/reports/counting/corrected-listings-items.ts';
import { indexKeys, type Key } from '#lib/service/ground/table/keys.ts';
import { unsettledCommissionsOf } from '#lib/service/earnings/commissions/unsettled-commissions-items.ts';
import { failing, overtakenBy, refused, withShortPages } from '#test/support/table/faults.ts';
import { soldTo } from '#test/support/payments/journeys.ts';
import { operated } from '#test/support/callers/operator.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import { saleItems } from '#test/support/table/sale-items.ts';
import { sentCalls } from '#test/support/servers/sent-calls.ts';
import { counted } from '#test/support/table/stream.ts';
import { type Brand, openWorld, type World } from '#test/support/programs/world.ts';

let world: World;
let brand: Brand;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  brand = await world.brand();
});

const table = () => world.deps().table;
const found = () => unsettledCommissionsOf(table(), brand.program.id);
const correct = () => correctListings(table(), brand.program.id);
const listOf = () => indexKeys.unsettledCommission(brand.program.id, '', 0).gsi1pk;
const places = async () => (await table().list(listOf(), { most: 100 })).entries.map(({ position }) => position);

let sales = 0;
async function sold(): Promise<{ transactionId: string; id: number }> {
  const transactionId = `unsettled_${++sales}`;
  const { commission_id: id } = await soldTo(brand, transactionId, { transaction_id: transactionId });
  return { transactionId, id };
}

const refunded = (transactionId: string, cents?: number) =>
  send(refund, { key: brand.key, body: { transaction_id: transactionId, refund_amount_cents: cents } });

const keyOf = async (transactionId: string): Promise<Key> => {
  const { pk, sk } = (await saleItems(world, transactionId)).commission as unknown as Key;
  return { pk, sk };
};

/** A commission at the place that an earlier version gave it. */
async function soldBefore() {
  const { transactionId, id } = await sold();
  const key = await keyOf(transactionId);
  const place = indexKeys.unsettledCommission(brand.program.id, NOW.toISOString(), id);
  await table().update(key, { set: { ...place } });
  return { transactionId, id, key };
}

const part = (id: number, changes: object = {}) => ({
  id,
  partnerId: brand.partner.id,
  currency: 'USD',
  status: 'pending',
  holdUntil: '2026-12-05T15:00:00.000Z',
  openCents: 980,
  saleDay: '2026-11-20',
  ...changes,
});
const place = (id: number, cents = 980) =>
  `${NOW.toISOString()}#${id}#${brand.partner.id}#USD#pending#${cents}#2026-12-05T15:00:00.000Z#2026-11-20`;

describe('every unsettled commission', () => {
  it('is told by its place, without a read', async () => {
    const [{ id: first }, { id: second }] = [await sold(), await sold()];
    const calls = await sentCalls(async () => expect(await found()).toEqual([part(first), part(second)]));
    expect(calls.map(({ name }) => name)).toEqual(['QueryCommand']);
  });

  it('is found whatever a query answers at a time', async () => {
    const ids: number[] = [];
    for (let n = 0; n < 5; n++) ids.push((await sold()).id);
    expect(await withShortPages(found)).toEqual(ids.map((id) => part(id)));
  });

  it('is read where an earlier version has listed it', async () => {
    const { id: former } = await soldBefore();
    const { id } = await sold();
    expect(await found()).toEqual([part(former), part(id)]);
  });

  it.each([
    ['settled', ({ transactionId }: { transactionId: string }) => refunded(transactionId)],
    ['gone', ({ key }: { key: Key }) => table().transact([{ name: 'it', key, remove: true }])],
  ])('is left out when it is %s by the time it is read', async (_, settle) => {
    const former = await soldBefore();
    expect(
      await failing(
        'read',
        overtakenBy(() => settle(former)),
        found,
      ),
    ).toEqual([]);
  });
});

describe('a rebuild', () => {
  it('gives those of earlier versions their place, and leaves the others alone', async () => {
    const { id: former } = await soldBefore();
    const { id } = await sold();
    await counted(world);
    await operated(world, `metrics rebuild --program ${brand.program.id}`);
    expect(await places()).toEqual([place(former), place(id)]);
    const calls = await sentCalls(correct);
    expect(calls.filter(({ writeUnits }) => writeUnits > 0)).toEqual([]);
  });

  it('leaves a commission that changes meanwhile at the place of the change', async () => {
    const { transactionId, id } = await soldBefore();
    await failing(
      'write',
      overtakenBy(() => refunded(transactionId, 2450)),
      correct,
    );
    expect(await places()).toEqual([place(id, 490)]);
  });

  it('passes over one that is gone, and fails when the table does', async () => {
    const { key } = await soldBefore();
    await expect(failing('write', refused('InternalServerError'), correct)).rejects.toThrow('InternalServerError');
    const remove = () => table().transact([{ name: 'it', key, remove: true }]);
    await failing('read', overtakenBy(remove), correct);
    expect(await places()).toEqual([]);
  });
});
