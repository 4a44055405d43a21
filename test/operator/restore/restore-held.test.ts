import { beforeEach, expect, it } from 'vitest';
import { type Key, keys } from '#lib/service/ground/table/keys.ts';
import { type OwnedBrand, ownedBrand, refunded } from '#test/support/programs/commissions.ts';
import { held, holdAds } from '#test/support/payments/held.ts';
import { operated } from '#test/support/callers/operator.ts';
import { NOW } from '#test/support/callers/request.ts';
import { saleItems } from '#test/support/table/sale-items.ts';
import { counted, counterItems } from '#test/support/table/stream.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// Tests of a restore that loses that a commission was held or released, or concurrent refunds. Half of a sale of 4900
// is refunded, which deducts 490 from a commission of 980 and 86 from its fee of 172.

const world = openedWorld();
let own: OwnedBrand;
let sale: Awaited<ReturnType<typeof held>>;
let programs = 0;
beforeEach(async () => {
  // Resets the sequence as before any restore; this program's ids would otherwise be ten thousand higher.
  await change(keys.sequence('program'), { last: programs++, raisedFor: undefined, raisedFrom: undefined });
  own = await ownedBrand(world);
  await holdAds(world, own);
  sale = await held(world, own);
});

const TO = new Date(NOW.getTime() + 60_000);
const change = (key: Key, set: Record<string, unknown>) => world.deps().table.update(key, { set });
const check = async () => {
  const { repaired, unrepaired } = await operated(
    world,
    ['restore', 'check', '--to', TO.toISOString(), '--former-table-lost'],
    TO,
  );
  return { repaired, unrepaired };
};
const release = (at = NOW) => own.owner.post(`${own.path}/commissions/${sale.id}/release`, {}, { at });
const refundHalf = () => refunded(own, { transaction_id: sale.transactionId, refund_amount_cents: 2450 });
const commissionKey = () => keys.commission(sale.transactionId);
const stepKey = async () => {
  const { refunds } = await saleItems(world, sale.transactionId);
  return { pk: String(refunds[0]!.pk), sk: String(refunds[0]!.sk) };
};

/** The program's counted commission and fee, which a rebuild must not change. */
async function earned() {
  const ofProgram = async () => (await counterItems(world))[`PROGRAM#${own.program.id}`] ?? {};
  await counted(world);
  const before = await ofProgram();
  await operated(world, `metrics rebuild --program ${own.program.id}`);
  await counted(world);
  expect(await ofProgram()).toEqual(before);
  return [before.commissionUSD ?? 0, before.platformFeeUSD ?? 0];
}

const shares = 'the shares of its refunds in a commission that a rule has held';

it('if a restore lost nothing, `restore check` changes no refunds of a held commission, neither before nor after its release', async () => {
  await refundHalf();
  expect(await check()).toEqual({ repaired: [], unrepaired: [] });
  await release();
  await refunded(own, { transaction_id: sale.transactionId, refund_amount_cents: 3675 });
  expect(await check()).toEqual({ repaired: [], unrepaired: [] });
  expect(await earned()).toEqual([245, 43]);
});

it('if a restore undid the release of a held commission, a refund made after the release is counted only at the next release', async () => {
  const { commission: before } = await saleItems(world, sale.transactionId);
  await release();
  await refundHalf();
  const { pk: _, sk: __, ...lost } = before!;
  await change(commissionKey(), { ...lost, releasedAt: undefined });
  expect(await check()).toEqual({
    repaired: [`sale ${sale.transactionId}: its refund`, `sale ${sale.transactionId}: ${shares}`],
    unrepaired: [],
  });
  expect(await saleItems(world, sale.transactionId)).toMatchObject({
    commission: { status: 'held', deductedCents: 490 },
    refunds: [{ deductionCents: 490, feeReductionCents: 86, whileHeld: true }],
  });
  expect(await check()).toEqual({ repaired: [], unrepaired: [] });
  expect(await earned()).toEqual([0, 0]);
  expect((await release()).status).toBe(200);
  expect(await earned()).toEqual([490, 86]);
});

it('if a restore lost a refund from before a held commission’s release, the refund is restored and counted once', async () => {
  await refundHalf();
  await release();
  const key = await stepKey();
  await world.deps().table.transact([{ name: 'lost', key, remove: true }]);
  expect(await check()).toEqual({
    repaired: [`sale ${sale.transactionId}: its refund`, `sale ${sale.transactionId}: ${shares}`],
    unrepaired: [],
  });
  const { commission, refunds } = await saleItems(world, sale.transactionId);
  expect(refunds).toMatchObject([{ amountCents: 2450, deductionCents: 490, feeReductionCents: 86 }]);
  expect(commission).toMatchObject({ status: 'pending', deductedCents: 490 });
  expect(commission).not.toHaveProperty('heldDeductedCents');
  expect(commission!.platformFee).not.toHaveProperty('heldReducedCents');
  expect(await check()).toEqual({ repaired: [], unrepaired: [] });
  expect(await earned()).toEqual([490, 86]);
});

it('if a restore lost a released commission, `restore check` recreates it as pending', async () => {
  await refundHalf();
  await release();
  // Makes another held commission, whose fee is known.
  await held(world, own);
  await world.deps().table.transact([{ name: 'lost', key: commissionKey(), remove: true }]);
  expect(await check()).toEqual({ repaired: [`sale ${sale.transactionId}: its commission`], unrepaired: [] });
  const { commission, refunds } = await saleItems(world, sale.transactionId);
  expect(commission).toMatchObject({ id: sale.id, status: 'pending', deductedCents: 490 });
  expect(commission).not.toHaveProperty('flags');
  expect(refunds[0]).toMatchObject({ deductionCents: 490 });
  expect(refunds[0]).not.toHaveProperty('whileHeld');
  expect(await earned()).toEqual([490, 86]);
});

it('if a restore lost a commission that was still held, `restore check` recreates it as held', async () => {
  await refundHalf();
  await held(world, own);
  await world.deps().table.transact([{ name: 'lost', key: commissionKey(), remove: true }]);
  expect(await check()).toEqual({ repaired: [`sale ${sale.transactionId}: its commission`], unrepaired: [] });
  expect(await saleItems(world, sale.transactionId)).toMatchObject({
    commission: { id: sale.id, status: 'held', deductedCents: 490 },
    refunds: [{ deductionCents: 490, whileHeld: true }],
  });
  expect(await earned()).toEqual([0, 0]);
  expect((await release(TO)).body.data).toMatchObject({ status: 'pending', payable_cents: 490 });
  expect(await earned()).toEqual([490, 86]);
});
