import { beforeEach, describe, expect, it } from 'vitest';
import { keys } from '#lib/service/ground/table/keys.ts';
import { eraseCustomer } from '#lib/service/operations/erasure/erase-customer.ts';
import { HOLD_OVER, type OwnedBrand, ownedBrand, refunded } from '#test/support/programs/commissions.ts';
import { codedScene, nameClick, sellByCode } from '#test/support/payments/clicked-and-coded.ts';
import { dashboard } from '#test/support/callers/dashboard.ts';
import { failedFirstSale } from '#test/support/payments/failed-sales.ts';
import { platformError } from '#test/support/servers/errors.ts';
import { failing, inConflict, overtakenBy, replyLost, sentAgain } from '#test/support/table/faults.ts';
import { held, holdAds } from '#test/support/payments/held.ts';
import { expectNothingHalfWritten } from '#test/support/table/invariants.ts';
import { operated } from '#test/support/callers/operator.ts';
import { paid, visitorOf } from '#test/support/payments/payers.ts';
import { ownerOfBrand } from '#test/support/programs/people.ts';
import { NOW } from '#test/support/callers/request.ts';
import { saleItems } from '#test/support/table/sale-items.ts';
import { counted, counterItems } from '#test/support/table/stream.ts';
import { deliver, directEndpoint, dispute, openProcessor, stripeEvent } from '#test/support/stripe/stripe.ts';
import { EXCLUDING_TAX, refundOf, sessionPaid, untaxedIntent } from '#test/support/payments/taxed-payments.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import type { World } from '#test/support/programs/world.ts';

// Tests of events during the hold of a commission, and how they are counted and owed. A sale of 4900 earns 980, with a
// platform fee of 172.

openProcessor();

const world = openedWorld();
let own: OwnedBrand;
const open = async (...settings: Parameters<World['brand']>) => {
  own = await ownedBrand(world, ...settings);
  await directEndpoint(world, own);
  await holdAds(world, own);
};
beforeEach(() => open());

const told = (id: string, type: string, more: Record<string, unknown> = {}) =>
  stripeEvent(`charge.dispute.${type}`, dispute(id, more));
const settle = () => Promise.resolve();

const decided = (id: number, what: string, body: object = {}, at = NOW) =>
  own.owner.post(`${own.path}/commissions/${id}/${what}`, body, { at });
const release = (id: number, at = NOW) => decided(id, 'release', {}, at);
const payOut = () => own.owner.post(`${own.path}/payouts`, {}, { at: HOLD_OVER });
const stored = async (transactionId: string) => (await saleItems(world, transactionId)).commission!;

async function ownedScene({ brand }: Awaited<ReturnType<typeof codedScene>>): Promise<OwnedBrand> {
  const { token, account } = await ownerOfBrand(world, brand);
  const path = `/programs/${brand.program.id}`;
  return { ...brand, owner: dashboard(token), actor: `account:${account.id}`, path };
}

/** A visitor from an ad who pays through the processor. */
async function adVisitor() {
  const person = await visitorOf(own);
  await world.deps().table.update(keys.customer(person.clickId), { set: { traits: { adCampaign: '' } } });
  return person;
}

/** The counted commission and fee, which a rebuild must not change. The customer's counter has no fee. */
async function earned(clickId: string) {
  const { program, partner, shortLink } = own;
  const names = [
    `PROGRAM#${program.id}`,
    `PARTNER#${program.id}#${partner.id}`,
    `LINK#${shortLink}`,
    `CUSTOMER#${clickId}`,
  ];
  const read = async () => {
    await counted(world);
    const all = await counterItems(world);
    return names.map((name) => all[name] ?? {});
  };
  const before = await read();
  await operated(world, `metrics rebuild --program ${program.id}`);
  expect(await read()).toEqual(before);
  const [first, ...others] = before.map(({ commissionUSD = 0 }) => commissionUSD);
  expect(others).toEqual(others.map(() => first));
  const fees = before.slice(0, 3).map(({ platformFeeUSD = 0 }) => platformFeeUSD);
  expect(fees).toEqual([fees[0], fees[0], fees[0]]);
  return [first, fees[0]];
}

/** The partner's balance at the end of the hold, and the payout. */
async function due() {
  const at = HOLD_OVER;
  const [owed, planned] = [
    (await own.owner.get(`${own.path}/owed`, { at })).body.data,
    (await own.owner.post(`${own.path}/payouts/preview`, {}, { at })).body.data,
  ];
  return { owed, planned };
}

describe('refunds of a sale whose commission a rule holds for review', () => {
  it('reduce the amounts that are counted at its release; refunds after the release are counted as refunds', async () => {
    const { id, clickId, transactionId } = await held(world, own);
    await refunded(own, { transaction_id: transactionId, refund_amount_cents: 1225 });
    await refunded(own, { transaction_id: transactionId, refund_amount_cents: 2450 });
    expect(await earned(clickId)).toEqual([0, 0]);
    expect((await payOut()).status).toBe(409);
    await release(id);
    expect(await earned(clickId)).toEqual([490, 86]);
    await refunded(own, { transaction_id: transactionId, refund_amount_cents: 3675 });
    expect(await earned(clickId)).toEqual([245, 43]);
    expect((await payOut()).body.data).toMatchObject({ status: 'made' });
    expect(await stored(transactionId)).toMatchObject({ status: 'paid', paidOutCents: 245 });
    expect(await earned(clickId)).toEqual([245, 43]);
  });
});

describe('a dispute of a sale whose commission a rule holds for review', () => {
  it('reverses the commission, which is held for review again when the dispute is won', async () => {
    const person = await adVisitor();
    const sale = `cs_${person.id}`;
    await deliver(own, paid(person.id, { metadata: person.metadata }), told(person.id, 'created'));
    expect(await stored(sale)).toMatchObject({ status: 'reversed', deductedCents: 980 });
    expect(await earned(person.clickId)).toEqual([0, 0]);
    expect((await release(Number((await stored(sale)).id))).status).toBe(409);
    await deliver(own, told(person.id, 'closed', { status: 'won' }));
    expect(await stored(sale)).toMatchObject({ status: 'held', deductedCents: 0, refundState: 'none' });
    expect(await earned(person.clickId)).toEqual([0, 0]);
    expect((await release(Number((await stored(sale)).id))).status).toBe(200);
    expect(await earned(person.clickId)).toEqual([980, 172]);
  });

  it('restores what it deducted if it began before the release and is won after it', async () => {
    const person = await adVisitor();
    const sale = `cs_${person.id}`;
    await deliver(own, paid(person.id, { metadata: person.metadata }), told(person.id, 'created', { amount: 2450 }));
    await release(Number((await stored(sale)).id));
    expect(await earned(person.clickId)).toEqual([490, 86]);
    await deliver(own, told(person.id, 'closed', { status: 'won', amount: 2450 }));
    expect(await stored(sale)).toMatchObject({ status: 'pending', deductedCents: 0 });
    expect(await earned(person.clickId)).toEqual([980, 172]);
  });

  it('changes nothing, whether it is lost or won, if the commission was rejected', async () => {
    const person = await adVisitor();
    const sale = `cs_${person.id}`;
    await deliver(own, paid(person.id, { metadata: person.metadata }));
    await decided(Number((await stored(sale)).id), 'reject', { reason: 'Fraud' });
    const before = await stored(sale);
    await deliver(own, told(person.id, 'created'));
    expect(await stored(sale)).toEqual(before);
    await deliver(own, told(person.id, 'closed', { status: 'won' }));
    expect(await stored(sale)).toEqual(before);
    expect(await earned(person.clickId)).toEqual([0, 0]);
  });
});

describe('a tax that becomes known after the sale', () => {
  beforeEach(() => open(EXCLUDING_TAX));

  it.each([
    ['while the commission is held', 'tax', 'release'],
    ['after the commission is released', 'release', 'tax'],
  ])(
    'changes a commission that a rule held, and the deduction of an earlier refund, if it becomes known %s',
    async (_, ...steps) => {
      const person = await adVisitor();
      const sale = `pi_${person.id}`;
      await deliver(own, untaxedIntent(person), refundOf(person));
      expect(await stored(sale)).toMatchObject({ status: 'held', amountCents: 2380, deductedCents: 1190 });
      expect(await earned(person.clickId)).toEqual([0, 0]);
      for (const step of steps) {
        if (step === 'tax') await deliver(own, sessionPaid(person));
        else await release(Number((await stored(sale)).id));
      }
      expect(await stored(sale)).toMatchObject({
        status: 'pending',
        amountCents: 2000,
        deductedCents: 1000,
        heldDeductedCents: 1000,
      });
      const [commission] = await earned(person.clickId);
      expect(commission).toBe(1000);
      await expectNothingHalfWritten(world);
    },
  );
});

it('`sale repair` holds the missing commission that it creates if a rule matches, and deducts earlier refunds from it', async () => {
  const { id, clickId } = await failedFirstSale(own);
  await world.deps().table.update(keys.customer(clickId), { set: { traits: { adCampaign: '' } } });
  await refunded(own, { transaction_id: id, refund_amount_cents: 2450 });
  expect(await operated(world, ['sale', 'repair', '--transaction', id])).toEqual({ repaired: [id], skipped: [] });
  const { commission, refunds } = await saleItems(world, id);
  expect(commission).toMatchObject({ status: 'held', deductedCents: 490, flags: [{ rule: 'paid_ad' }] });
  expect(refunds).toMatchObject([{ deductionCents: 490, whileHeld: true }]);
  expect(await earned(clickId)).toEqual([0, 0]);
  await release(Number(commission!.id));
  expect(await earned(clickId)).toEqual([490, 86]);
});

it('a sale that a later Stripe event moves to a click’s partner is held if a rule matches the click’s customer', async () => {
  const scene = await codedScene(world);
  own = await ownedScene(scene);
  await holdAds(world, own);
  const { clickId } = scene.person;
  await world.deps().table.update(keys.customer(clickId), { set: { traits: { adCampaign: '' } } });
  await sellByCode(scene.person);
  const before = await scene.left();
  expect(before.commission).toMatchObject({ status: 'pending', partnerId: scene.cleo.partner.id });
  await nameClick(scene.person);
  const { commission } = await scene.left();
  expect(commission).toMatchObject({
    id: before.commission!.id,
    status: 'held',
    partnerId: own.partner.id,
    flags: [{ rule: 'paid_ad' }],
  });
  const [reduced] = await earned(clickId);
  expect(reduced).toBe(0);
  expect((await release(Number(commission!.id))).status).toBe(200);
  const { commission: released } = await scene.left();
  expect(await earned(clickId)).toEqual([
    Number(released!.amountCents) - Number(released!.deductedCents),
    expect.any(Number),
  ]);
  await expectNothingHalfWritten(world);
});

it('a commission that a rule holds is in no balance and no payout, even if its partner was removed', async () => {
  const { id } = await held(world, own);
  const none = await due();
  const zeros = { pending_cents: 0, approved_cents: 0, held_cents: 0, due_now_cents: 0, balance_cents: 0 };
  expect(none.owed).toEqual({ USD: { ...zeros, by_date: [] } });
  expect(none.planned.totals).toEqual({});
  await own.owner.patch(`${own.path}/partners/${own.partner.id}`, { status: 'removed' });
  expect(await due()).toEqual(none);
  expect((await payOut()).status).toBe(409);
  expect((await release(id)).status).toBe(200);
  expect((await payOut()).body.data).toMatchObject({ status: 'made' });
});

it('the erasure of a customer leaves the flags of commissions held for review, which can still be released', async () => {
  const { id, clickId, customerKey, transactionId } = await held(world, own);
  await world.deps().table.update(keys.customer(clickId), {
    set: { traits: { adCampaign: '', referrer: 'who.test', mailDomain: 'who.test' } },
  });
  await eraseCustomer(world.deps(), { programId: own.program.id, customerKey }, settle);
  const { table } = world.deps();
  const erased = await table.get(keys.customer(clickId));
  expect(erased).not.toHaveProperty('traits');
  expect(await stored(transactionId)).toMatchObject({ id, status: 'held', flags: [{ rule: 'paid_ad' }] });
  expect((await release(id)).status).toBe(200);
  expect(await world.deps().table.get(keys.customer(clickId))).toEqual(erased);
  expect(await earned(clickId)).toEqual([980, 172]);
});

describe('the release of a commission that a rule held', () => {
  it('takes effect even if the reply is lost; when repeated it is refused with 409', async () => {
    const { id, clickId, transactionId } = await held(world, own);
    expect((await failing('write', replyLost, () => release(id))).status).toBeGreaterThanOrEqual(500);
    expect((await release(id)).body).toEqual(
      platformError(409, 'Commission status cannot be changed to pending. Current status: pending'),
    );
    expect((await stored(transactionId)).history).toMatchObject([{ to: 'held' }, { to: 'pending' }]);
    expect(await earned(clickId)).toEqual([980, 172]);
  });

  it.each([
    ['that the SDK sends twice', sentAgain],
    ['that conflicts with another transaction', inConflict],
  ])('%s takes effect once', async (_, fault) => {
    const { id, clickId, transactionId } = await held(world, own);
    await failing('write', fault, () => release(id));
    expect((await stored(transactionId)).history).toHaveLength(2);
    expect(await earned(clickId)).toEqual([980, 172]);
  });

  it.each([1, 2])(
    'and a parallel refund both take effect, whichever of them is written first (order %s)',
    async (first) => {
      const { id, clickId, transactionId } = await held(world, own);
      const refundHalf = () => refunded(own, { transaction_id: transactionId, refund_amount_cents: 2450 });
      const [quick, slow] = first === 1 ? [refundHalf, () => release(id)] : [() => release(id), refundHalf];
      expect((await failing('write', overtakenBy(quick), slow)).status).toBe(200);
      expect(await stored(transactionId)).toMatchObject({ status: 'pending', deductedCents: 490 });
      expect(await earned(clickId)).toEqual([490, 86]);
    },
  );

  it('does not write the customer’s erased data for the hold rules again if the customer is erased in parallel', async () => {
    const { id, clickId, customerKey } = await held(world, own);
    const erase = () => eraseCustomer(world.deps(), { programId: own.program.id, customerKey }, settle);
    expect((await failing('write', overtakenBy(erase), () => release(id))).status).toBe(200);
    expect(await world.deps().table.get(keys.customer(clickId))).not.toHaveProperty('traits');
    expect(await earned(clickId)).toEqual([980, 172]);
  });

  it('lets the commission be paid only once if a payout runs in parallel', async () => {
    const { id, clickId, transactionId } = await held(world, own);
    await Promise.all([release(id, HOLD_OVER), payOut()]);
    await payOut();
    expect(await stored(transactionId)).toMatchObject({ status: 'paid', paidOutCents: 980 });
    expect(await earned(clickId)).toEqual([980, 172]);
  });
});
