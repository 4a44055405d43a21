import { beforeEach, describe, expect, it } from 'vitest';
import { keys } from '#lib/service/ground/table/keys.ts';
import { eraseCustomer } from '#lib/service/operations/erasure/erase-customer.ts';
import {
  codedScene,
  type CodedScene,
  expectMoved,
  invoiceOf,
  nameClick,
  sellByCode,
  eventsOf,
  namings,
  sessionOf,
} from '#test/support/payments/clicked-and-coded.ts';
import { expectNothingHalfWritten, leftBehind } from '#test/support/table/invariants.ts';
import { changeProgram, clicked, settledLead, signedUp } from '#test/support/payments/lives/journeys.ts';
import { operated } from '#test/support/callers/operator.ts';
import { customerOf, invoiced, paid, renewed, saleOf, subscribed } from '#test/support/payments/payers.ts';
import { NOW } from '#test/support/callers/request.ts';
import { unsoldOf } from '#test/support/payments/single-payment-scenes.ts';
import { deliver, openProcessor, stripeEvent } from '#test/support/stripe/stripe.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// Tests of a checkout that names the click after the invoice of the same payment named another partner's code.

openProcessor();

type Fields = Record<string, unknown>;

const world = openedWorld();
let scene: CodedScene;
beforeEach(async () => {
  scene = await codedScene(world);
});

describe.each(Object.keys(namings))(
  'a checkout session that names the click by %s, for an invoice with a promotion code,',
  (naming) => {
    it.each([
      ['before the invoice', [0, 1, 2, 3, 4, 5]],
      ['after the invoice', [0, 1, 3, 2, 4, 5]],
      ['after all other events', [0, 1, 3, 4, 5, 2]],
      ['after an invoice with a code that becomes known later', [3, 2, 5, 4, 1, 0]],
      ['before an invoice with a code that becomes known later', [2, 3, 5, 4, 0, 1]],
    ])('moves the sale from the code’s partner to the click’s partner if the session arrives %s', async (_, order) => {
      const events = eventsOf(scene.person, naming);
      for (const at of order) await deliver(scene.brand, events[at]!, events[at]!);
      await deliver(scene.brand, renewed(scene.person.id));
      await expectMoved(world, scene.person);
      const { sale, commission, keyed, renewal } = await scene.left();
      expect(sale).toMatchObject({
        refundedCents: 2450,
        code: 'SAVE10',
        attribution: { overruled: { partnerId: scene.cleo.partner.id, by: 'code' } },
      });
      expect(commission).toMatchObject({ code: 'SAVE10', deductedCents: 490 });
      expect(keyed?.clickId).toBe(naming === 'its metadata' ? scene.person.clickId : undefined);
      expect(renewal.sale).toMatchObject({
        attribution: { partnerId: scene.brand.partner.id, clickId: scene.person.clickId },
      });
      expect(await unsoldOf(world, scene.brand)).toEqual([]);
      await expectNothingHalfWritten(world);
    });
  },
);

describe('a sale that went to a promotion code’s partner, when a late checkout session names a click,', () => {
  beforeEach(() => sellByCode(scene.person));

  it('moves to the click’s customer with everything that belongs to it, and its explanation says so', async () => {
    const before = await scene.left();
    const made = await scene.madeOf();
    expect(before).toMatchObject({ commission: { partnerId: scene.cleo.partner.id }, payer: made });
    await nameClick(scene.person);
    await expectMoved(world, scene.person);
    const { sale, commission, keyed, payerOf } = await scene.left();
    expect(sale).toMatchObject({ id: before.sale.id, commissionId: before.commission!.id });
    expect(sale.attribution).toMatchObject({ movedFrom: made, window: { comparedWith: 'payment' } });
    expect([commission!.id, commission!.createdAt, commission!.holdUntil]).toEqual([
      before.commission!.id,
      before.commission!.createdAt,
      before.commission!.holdUntil,
    ]);
    expect(keyed).toMatchObject({ clickId: scene.person.clickId, partnerId: scene.brand.partner.id });
    expect(payerOf).toBe(1);
    const items = await world.items(`CUSTOMER#${made}`);
    expect(items).toMatchObject([
      { sk: 'CUSTOMER', status: 'click', source: 'code', unlinkedBy: 'processor', movedTo: scene.person.clickId },
    ]);
    for (const gone of ['customerKey', 'gsi2pk', 'gsi2sk']) expect(items[0]).not.toHaveProperty(gone);
    const unlinked = await scene.owner.post(`${scene.program}/customers/${made}/unlink`, { reason: 'Not ours' });
    expect(unlinked.body.data).toMatchObject({ reason: `Identified as customer ${scene.person.clickId}` });
    const { data } = (await scene.owner.get(`${scene.program}/sales/${scene.transactionId}`)).body;
    expect(data.attribution).toMatchObject({
      resolved_by: 'click_id',
      partner: { id: scene.brand.partner.id },
      overruled: { partner: { id: scene.cleo.partner.id, name: 'Cleo' }, by: 'code' },
    });
    expect(data.attribution.text).toContain(
      'The payment also carried a code of Cleo, which did not count: the customer was another partner’s already.',
    );
    expect(data.history).toMatchObject([
      { action: 'created', amount_cents: 980 },
      { action: 'recalculated', reason: 'the customer of the payment became known' },
    ]);
    await expectNothingHalfWritten(world);
  });

  it('earns by the terms of the click’s partner, and must be approved again', async () => {
    await scene.owner.post(`${await scene.commissionPath()}/approve`);
    const terms = { commission_type: 'percent', commission_rate: 50, hold_period_days: 3 };
    await scene.owner.patch(`${scene.program}/partners/${scene.brand.partner.id}`, { terms });
    await nameClick(scene.person);
    expect((await scene.left()).commission).toMatchObject({
      partnerId: scene.brand.partner.id,
      status: 'pending',
      amountCents: 2450,
      commissionRate: 50,
      terms: { from: 'partner' },
      holdUntil: new Date(NOW.getTime() + 3 * 86_400_000).toISOString(),
    });
    await expectNothingHalfWritten(world);
  });

  it('keeps all its refunds, even if there are 110', { tags: 'deep' }, async () => {
    for (let cents = 1; cents <= 110; cents++) {
      expect((await scene.refund(cents, new Date(NOW.getTime() + cents * 60_000))).status).toBe(200);
    }
    await nameClick(scene.person);
    await expectMoved(world, scene.person);
    expect((await scene.left()).refunds).toHaveLength(110);
    await expectNothingHalfWritten(world);
  });

  it('has a reversed commission while a dispute of its full amount is open, and a pending one after the brand wins', async () => {
    await scene.owner.post(`${await scene.commissionPath()}/approve`);
    const dispute = {
      id: `dp_${scene.person.id}`,
      amount: 4900,
      payment_intent: `pi_${scene.person.id}`,
      status: 'needs_response',
    };
    await deliver(scene.brand, stripeEvent('charge.dispute.created', dispute));
    await nameClick(scene.person);
    await expectMoved(world, scene.person);
    expect((await scene.left()).commission).toMatchObject({ status: 'reversed', deductedCents: 980 });
    await deliver(scene.brand, stripeEvent('charge.dispute.closed', { ...dispute, status: 'won' }));
    expect((await scene.left()).commission).toMatchObject({ status: 'pending', deductedCents: 0 });
  });

  it.each([
    ['was paid', 'paid', () => scene.payOut()],
    [
      'was rejected',
      'rejected',
      async () => scene.owner.post(`${await scene.commissionPath()}/reject`, { reason: 'Fraud' }),
    ],
  ])('stays with the code’s partner if its commission %s, and its explanation says why', async (_, status, decide) => {
    expect((await decide()).status).toBe(200);
    const before = await scene.left();
    const made = await scene.madeOf();
    await deliver(scene.brand, sessionOf(scene.person), sessionOf(scene.person));
    const { sale, commission, customer, payer } = await scene.left();
    const overruled = { partnerId: scene.brand.partner.id, by: 'click_id', isLate: true };
    expect(sale.attribution).toEqual({ ...(before.sale.attribution as object), overruled });
    expect(commission).toEqual(before.commission);
    expect(commission).toMatchObject({ status, partnerId: scene.cleo.partner.id });
    expect(customer).toMatchObject({ status: 'click' });
    expect(payer).toBe(made);
    const { data } = (await scene.owner.get(`${scene.program}/sales/${scene.transactionId}`)).body;
    expect(data.attribution.text).toMatch(
      /Another event of the payment named a click of .+, when the commission was paid or rejected already: the sale stayed\.$/,
    );
    await deliver(scene.brand, renewed(scene.person.id));
    expect((await scene.left()).renewal.sale).toMatchObject({ attribution: { clickId: made } });
    await expectNothingHalfWritten(world);
  });

  it('gets a commission for the click’s partner if it had none before', async () => {
    await changeProgram(world, scene.brand, { commissionRate: 0 });
    await scene.next();
    await sellByCode(scene.person);
    expect((await scene.left()).sale).toMatchObject({ commissionState: 'failed' });
    await changeProgram(world, scene.brand, { commissionRate: 20 });
    await scene.refund(2450);
    await nameClick(scene.person);
    await expectMoved(world, scene.person);
    expect((await scene.left()).sale).not.toHaveProperty('terms');
    expect(await operated(world, 'sale repair --all')).toEqual({ repaired: [], skipped: [] });
    await expectNothingHalfWritten(world);
  });

  it('stays with the code’s partner while no commission can be computed for the click’s partner', async () => {
    await changeProgram(world, scene.brand, { commissionRate: 0 });
    await nameClick(scene.person);
    expect((await scene.left()).commission).toMatchObject({ partnerId: scene.cleo.partner.id, amountCents: 980 });
    await expectNothingHalfWritten(world);
  });

  it.each<[string, () => Promise<unknown>]>([
    [
      'the click’s partner was removed',
      () => changeProgram(world, scene.brand, { removedPartnerIds: [scene.brand.partner.id] }),
    ],
    [
      'the program’s setting gives codes precedence over clicks',
      () => changeProgram(world, scene.brand, { codePrecedence: 'code_first' }),
    ],
    [
      'the payment is outside the click’s attribution window',
      () => changeProgram(world, scene.brand, { attributionWindowDays: -1 }),
    ],
    [
      'an owner unlinked the click’s customer',
      async () => scene.owner.post(`${scene.program}/customers/${await scene.madeOf()}/unlink`, { reason: 'x' }),
    ],
    [
      'the click’s customer was erased',
      async () =>
        eraseCustomer(world.deps(), { programId: scene.brand.program.id, clickId: await scene.madeOf() }, () =>
          Promise.resolve(),
        ),
    ],
  ])('stays with the code’s partner if %s', async (_, change) => {
    await change();
    const before = await scene.left();
    await nameClick(scene.person);
    const { sale, commission } = await scene.left();
    expect(sale.attribution).toEqual(before.sale.attribution);
    expect(commission).toEqual(before.commission);
  });

  it('stays with the code’s partner if the session is a test, or if the click is later than the payment', async () => {
    const before = await scene.left();
    await deliver(
      scene.brand,
      stripeEvent('checkout.session.completed', sessionOf(scene.person).data.object, { livemode: false }),
    );
    const clickId = await clicked(scene.brand, { at: new Date(NOW.getTime() + 60_000) });
    await deliver(scene.brand, sessionOf({ ...scene.person, clickId }));
    expect((await scene.left()).sale.attribution).toEqual(before.sale.attribution);
  });

  it('moves to the click’s customer, but no partner is replaced, if both customers have the same partner', async () => {
    const own = await clicked({ affiliateUrl: scene.cleo.affiliateUrl });
    await deliver(scene.brand, sessionOf({ ...scene.person, clickId: own }));
    const { attribution } = (await scene.left()).sale as { attribution: Fields };
    expect(attribution).toMatchObject({ clickId: own, partnerId: scene.cleo.partner.id, resolvedBy: 'click_id' });
    expect(attribution).not.toHaveProperty('overruled');
    await expectNothingHalfWritten(world);
  });

  it('moves to the customer with the session’s e-mail address or key, even if that customer has bought before', async () => {
    const clickId = await clicked(scene.brand);
    await settledLead(scene.brand, {
      click_id: clickId,
      customer_key: `other_${scene.person.id}`,
      email: `${scene.person.id}@c.test`,
    });
    await deliver(scene.brand, paid(`${scene.person.id}o`, { metadata: { service_click_id: clickId } }));
    await deliver(
      scene.brand,
      subscribed(scene.person.id, { customer_details: { email: `${scene.person.id}@c.test` } }),
    );
    expect((await scene.left()).sale).toMatchObject({ attribution: { clickId, resolvedBy: 'email' } });
    await scene.next();
    await sellByCode(scene.person);
    await deliver(
      scene.brand,
      subscribed(scene.person.id, { metadata: { service_customer_key: `other_${scene.person.id}` } }),
    );
    expect((await scene.left()).sale).toMatchObject({ attribution: { resolvedBy: 'code' } });
    const keyed = await signedUp(scene.brand, `other_${scene.person.id}`);
    await deliver(
      scene.brand,
      subscribed(scene.person.id, { metadata: { service_customer_key: `other_${scene.person.id}` } }),
    );
    expect((await scene.left()).sale).toMatchObject({ attribution: { clickId: keyed, resolvedBy: 'customer_key' } });
    await expectNothingHalfWritten(world);
  });

  it.each([
    ['the invoice first', false],
    ['the checkout first', true],
  ])(
    'moves to a new customer of the same click if the click’s customer has another key (events: %s)',
    async (_, isCheckoutFirst) => {
      if (isCheckoutFirst) await scene.next();
      const key = `own_${scene.person.id}`;
      await settledLead(scene.brand, { click_id: scene.person.clickId, customer_key: key });
      await nameClick(scene.person);
      if (isCheckoutFirst) await sellByCode(scene.person);
      const { sale, payer, keyed } = await scene.left();
      const { clickId } = sale.attribution as { clickId: string };
      expect(sale).toMatchObject({
        attribution: {
          partnerId: scene.brand.partner.id,
          resolvedBy: 'click_id',
          overruled: { partnerId: scene.cleo.partner.id, by: 'code' },
        },
      });
      expect([payer, keyed?.clickId]).toEqual([clickId, clickId]);
      expect(await customerOf(world, clickId)).toMatchObject({
        source: 'shared_click',
        sharedClick: { clickId: scene.person.clickId, place: 2 },
        customerKey: scene.person.customerKey,
        firstPayer: `cus_${scene.person.id}`,
        status: 'conversion',
      });
      expect(await customerOf(world, scene.person.clickId)).toMatchObject({
        customerKey: key,
        people: 2,
        status: 'lead',
      });
      await expectNothingHalfWritten(world);
    },
  );

  it('leaves a reference from the former customer to the new one, so that later payments find the new one', async () => {
    const made = await scene.madeOf();
    await nameClick(scene.person);
    await world.deps().table.put(keys.payer(scene.brand.program.id, `cus_late${scene.person.id}`), { clickId: made });
    await deliver(scene.brand, paid(`${scene.person.id}l`, { customer: `cus_late${scene.person.id}` }));
    expect(await saleOf(world, `cs_${scene.person.id}l`)).toMatchObject({
      attribution: { clickId: scene.person.clickId },
    });
  });

  it('is erased completely with its customer, including the data stored with the former customer', async () => {
    await deliver(scene.brand, renewed(scene.person.id, { currency: 'xxx' }));
    const made = await scene.madeOf();
    await nameClick(scene.person);
    const erasure = { programId: scene.brand.program.id, clickId: made };
    const erased = await eraseCustomer(world.deps(), erasure, () => Promise.resolve());
    expect(erased).toEqual({ clickId: scene.person.clickId, sales: 1 });
    const kept = (await world.items(`UNSOLD#${scene.brand.program.id}`)).filter((item) => item.kept !== undefined);
    expect(kept).toEqual([]);
  });
});

it('a sale with a promotion code stays with the code’s partner if later events of the payment name no click or customer key', async () => {
  await sellByCode(scene.person);
  const before = await scene.left();
  await deliver(scene.brand, subscribed(scene.person.id), invoiced(scene.person.id));
  expect((await scene.left()).sale.attribution).toEqual(before.sale.attribution);
  expect(await leftBehind(world, () => deliver(scene.brand, invoiced(scene.person.id)))).toHaveLength(1);
});

it('a disabled promotion code that a later invoice reports is stored with the sale, which keeps its partner', async () => {
  await deliver(scene.brand, ...eventsOf(scene.person, 'its metadata').slice(0, 3));
  await scene.owner.patch(`${scene.program}/codes/SAVE10`, { status: 'disabled' });
  await deliver(scene.brand, invoiceOf(scene.person));
  const { sale, commission } = await scene.left();
  expect(sale).toMatchObject({ code: 'SAVE10', attribution: { partnerId: scene.brand.partner.id } });
  expect(sale.attribution).not.toHaveProperty('overruled');
  expect(commission).toMatchObject({ code: 'SAVE10', history: [{ action: 'created' }] });
});
