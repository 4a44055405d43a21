import { beforeEach, describe, expect, it } from 'vitest';
import { handler as saleCall } from '#functions/track/sale.ts';
import { handler as refundCall } from '#functions/track/refund.ts';
import { eraseCustomer } from '#lib/service/operations/erasure/erase-customer.ts';
import {
  codedScene,
  type CodedScene,
  expectMoved,
  nameClick,
  sellByCode,
  invoiceOf,
  refundHalf,
  sessionOf,
} from '#test/support/payments/clicked-and-coded.ts';
import { failingTransactionOf, inConflict, overtakenBy, replyLost, sentAgain } from '#test/support/table/faults.ts';
import { expectNothingHalfWritten } from '#test/support/table/invariants.ts';
import { clicked, settledLead } from '#test/support/payments/lives/journeys.ts';
import { operated } from '#test/support/callers/operator.ts';
import { paid, renewed } from '#test/support/payments/payers.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import { counted, counterItems } from '#test/support/table/stream.ts';
import { deliver, openProcessor, sendDirect } from '#test/support/stripe/stripe.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// Tests of a checkout that names the click after the invoice of the same payment gave the sale to another partner's
// code: with other sales, in parallel with another event, or with a failure in between.

openProcessor();

type Fields = Record<string, unknown>;

const world = openedWorld();
let scene: CodedScene;
beforeEach(async () => {
  scene = await codedScene(world);
});

const deliverClick = () => nameClick(scene.person);
const again = () => paid(`${scene.person.id}s`, { customer: `cus_${scene.person.id}` });
const soldAgain = async () => {
  const items = await world.items(`SALE#cs_${scene.person.id}s`);
  return { sale: items.find(({ sk }) => sk === 'SALE'), commission: items.find(({ sk }) => sk === 'COMMISSION') };
};
const ofClick = () => ({
  sale: {
    attribution: { clickId: scene.person.clickId, partnerId: scene.brand.partner.id, resolvedBy: 'processor_customer' },
  },
  commission: { partnerId: scene.brand.partner.id, clickId: scene.person.clickId },
});
const refundOfRenewal = () =>
  send(refundCall, {
    key: scene.brand.key,
    body: { transaction_id: `in_${scene.person.id}r`, refund_amount_cents: 2450 },
  });

describe('when a late checkout session names a click for a customer found by a promotion code, the customer’s other sales', () => {
  beforeEach(async () => {
    scene = await codedScene(world, { commissionType: 'recurring_percent' });
    await sellByCode(scene.person);
  });

  it('go to the click’s customer as well', async () => {
    await deliver(scene.brand, again(), renewed(scene.person.id));
    expect(await soldAgain()).toMatchObject({ commission: { partnerId: scene.cleo.partner.id } });
    await nameClick(scene.person);
    expect(await soldAgain()).toMatchObject(ofClick());
    expect((await scene.left()).renewal).toMatchObject(ofClick());
    await expectNothingHalfWritten(world);
  });

  it('earn by the terms of the click’s partner, which may mean no commission for renewals', async () => {
    const once = { terms: { commission_type: 'percent', commission_rate: 10 } };
    await scene.owner.patch(`${scene.program}/partners/${scene.brand.partner.id}`, once);
    await deliver(scene.brand, renewed(scene.person.id));
    await refundOfRenewal();
    await nameClick(scene.person);
    expect((await scene.left()).renewal).toMatchObject({ sale: { commissionState: 'notDue' }, commission: undefined });
    await expectNothingHalfWritten(world);

    await scene.next();
    await scene.owner.patch(`${scene.program}/partners/${scene.brand.partner.id}`, { terms: null });
    await scene.owner.patch(`${scene.program}/partners/${scene.cleo.partner.id}`, once);
    await sellByCode(scene.person);
    await deliver(scene.brand, renewed(scene.person.id));
    await refundOfRenewal();
    expect((await scene.left()).renewal).toMatchObject({ sale: { commissionState: 'notDue' } });
    await nameClick(scene.person);
    expect((await scene.left()).renewal).toMatchObject({
      ...ofClick(),
      commission: { amountCents: 980, deductedCents: 490 },
    });
    await expectNothingHalfWritten(world);
  });

  it('stay with the first customer if their commission was rejected', async () => {
    await deliver(scene.brand, again());
    const { commission } = await soldAgain();
    await scene.owner.post(`${scene.program}/commissions/${String(commission!.id)}/reject`, { reason: 'Fraud' });
    await nameClick(scene.person);
    await expectMoved(world, scene.person);
    expect(await soldAgain()).toMatchObject({ commission: { partnerId: scene.cleo.partner.id } });
    await expectNothingHalfWritten(world);
    const { data } = (await scene.owner.get(`${scene.program}/sales/cs_${scene.person.id}s`)).body;
    const day = NOW.toISOString().slice(0, 10);
    const { clickId } = scene.person;
    expect(data.attribution.text).toContain(
      `A payment told on ${day} that the customer is ${clickId}, who has the later sales.`,
    );
    expect(data.timeline).toContainEqual(expect.objectContaining({ text: `Customer identified as ${clickId}` }));
  });

  it.each<[string, () => Promise<unknown>]>([
    ['by the processor', () => deliver(scene.brand, again())],
    [
      'by the API',
      async () => {
        const body = {
          transaction_id: `cs_${scene.person.id}s`,
          amount_cents: 4900,
          customer_key: scene.person.customerKey,
        };
        expect((await send(saleCall, { key: scene.brand.key, body })).status).toBe(200);
      },
    ],
  ])('go to the click’s customer as well if they are recorded in parallel %s', async (_, sell) => {
    await failingTransactionOf(`SALE#cs_${scene.person.id}s`, overtakenBy(deliverClick), sell);
    const { sale, commission } = await soldAgain();
    expect(sale).toMatchObject({ attribution: { clickId: scene.person.clickId, partnerId: scene.brand.partner.id } });
    expect(commission).toMatchObject({ partnerId: scene.brand.partner.id });
    await expectMoved(world, scene.person);

    await expectNothingHalfWritten(world);
    await scene.next();
    await sellByCode(scene.person);
    await failingTransactionOf(`SALE#${scene.transactionId}`, overtakenBy(sell), deliverClick);
    expect((await soldAgain()).commission).toMatchObject({ partnerId: scene.brand.partner.id });
    await scene.next();
    await sellByCode(scene.person);
    await Promise.all([sell(), nameClick(scene.person)]);
    expect((await soldAgain()).commission).toMatchObject({ partnerId: scene.brand.partner.id });
    await expectMoved(world, scene.person);
    await expectNothingHalfWritten(world);
  });

  it('go to the click’s customer at the second delivery of the event, if the first one failed after moving the session’s sale', async () => {
    await deliver(scene.brand, again());
    const event = sessionOf(scene.person);
    const failed = failingTransactionOf(
      `SALE#cs_${scene.person.id}s`,
      () => Promise.reject(Object.assign(new Error('Made by the test'), { name: 'InternalServerError' })),
      () => sendDirect(scene.brand.program.id, event),
    );
    expect((await failed).status).toBe(500);
    await expectMoved(world, scene.person);
    expect((await soldAgain()).commission).toMatchObject({ partnerId: scene.cleo.partner.id });
    await deliver(scene.brand, event);
    expect(await soldAgain()).toMatchObject(ofClick());
    await expectNothingHalfWritten(world);
  });
});

describe('giving a sale to the customer of a click that a late checkout session names', () => {
  beforeEach(() => sellByCode(scene.person));

  it.each([
    ['whose reply is lost', replyLost],
    ['that is sent again', sentAgain],
    ['that conflicts with another transaction', inConflict],
  ])('takes effect once, even with a write %s', async (_, fault) => {
    const event = sessionOf(scene.person);
    await failingTransactionOf(`SALE#${scene.transactionId}`, fault, () => deliver(scene.brand, event)).catch(
      () => undefined,
    );
    await deliver(scene.brand, event);
    await expectMoved(world, scene.person);
    const actions = ((await scene.left()).commission!.history as { action: string }[]).map(({ action }) => action);
    expect(actions).toEqual(['created', 'recalculated']);
    await expectNothingHalfWritten(world);
  });

  const rivals = {
    'a refund': () => scene.refund(2450),
    'a refund of the processor': () => deliver(scene.brand, refundHalf(scene.person)),
    'an approval': async () => scene.owner.post(`${await scene.commissionPath()}/approve`),
    'another event of the click': deliverClick,
    'a second event of the invoice': () => deliver(scene.brand, invoiceOf(scene.person)),
    'a lead of the click': () =>
      settledLead(scene.brand, { click_id: scene.person.clickId, customer_key: scene.person.customerKey }).catch(
        () => undefined,
      ),
    'a sale of the click': () =>
      deliver(
        scene.brand,
        paid(`${scene.person.id}c`, {
          customer: `cus_${scene.person.id}`,
          metadata: { service_click_id: scene.person.clickId },
        }),
      ),
  };

  it.each(Object.entries(rivals))('leaves everything consistent if it runs in parallel with %s', async (_, rival) => {
    await failingTransactionOf(`SALE#${scene.transactionId}`, overtakenBy(rival), deliverClick);
    await expectMoved(world, scene.person);
    await expectNothingHalfWritten(world);
    await scene.next();
    await sellByCode(scene.person);
    await expect(Promise.all([rival(), nameClick(scene.person)])).resolves.toHaveLength(2);
    await expectMoved(world, scene.person);
    await expectNothingHalfWritten(world);
  });

  it('leaves everything consistent if a parallel refund has already read the sale', async () => {
    await failingTransactionOf(`SALE#${scene.transactionId}`, overtakenBy(deliverClick), () => scene.refund(2450));
    await expectMoved(world, scene.person);
    expect((await scene.left()).commission).toMatchObject({ deductedCents: 490 });
  });

  it('leaves the sale with the partner who is paid if a payout runs in parallel', async () => {
    for (const race of [
      () => failingTransactionOf(`SALE#${scene.transactionId}`, overtakenBy(scene.payOut), deliverClick),
      () => Promise.all([scene.payOut(), nameClick(scene.person)]),
    ]) {
      await race();
      const { sale, commission } = await scene.left();
      expect((sale.attribution as Fields).partnerId).toBe(commission!.partnerId);
      await expectNothingHalfWritten(world);
      scene = await codedScene(world);
      await sellByCode(scene.person);
    }
    await nameClick(scene.person);
    expect((await scene.payOut()).body.data).toMatchObject({
      items: [{ partner_id: scene.brand.partner.id, amount_cents: 980 }],
    });
  });

  it('leaves everything consistent if one of the two customers is erased in parallel', async () => {
    const erase = (clickId: string) =>
      eraseCustomer(world.deps(), { programId: scene.brand.program.id, clickId }, () => Promise.resolve());
    const made = await scene.madeOf();
    await failingTransactionOf(
      `SALE#${scene.transactionId}`,
      overtakenBy(() => erase(scene.person.clickId)),
      deliverClick,
    );
    expect((await scene.left()).sale).toMatchObject({
      attribution: { clickId: made, partnerId: scene.cleo.partner.id },
    });
    const late = await clicked(scene.brand);
    const other = { ...scene.person, clickId: late };
    await failingTransactionOf(
      `SALE#${scene.transactionId}`,
      overtakenBy(() => erase(made)),
      () => deliver(scene.brand, sessionOf(other)),
    );
    expect((await scene.left()).sale).toMatchObject({
      attribution: { clickId: made, partnerId: scene.cleo.partner.id },
    });
    await expectNothingHalfWritten(world);
  });

  it('changes the counters so that a rebuild finds nothing to correct', async () => {
    await scene.refund(2450);
    await counted(world);
    await nameClick(scene.person);
    await counted(world);
    const counters = await counterItems(world);
    const { id } = scene.brand.program;
    expect(counters[`CUSTOMER#${scene.person.clickId}`]).toEqual({
      revenueUSD: 4900,
      refundedUSD: 2450,
      commissionUSD: 490,
    });
    expect(counters[`PARTNER#${id}#${scene.brand.partner.id}`]).toMatchObject({
      sales: 1,
      revenueUSD: 4900,
      commissionUSD: 490,
    });
    expect(counters[`PARTNER#${id}#${scene.cleo.partner.id}`]).toBeUndefined();
    expect(counters[`CODE#${id}#save10`]).toEqual({ redemptions: 1 });
    await operated(world, 'metrics rebuild-all');
    await counted(world);
    expect(await counterItems(world)).toEqual(counters);
  });
});
