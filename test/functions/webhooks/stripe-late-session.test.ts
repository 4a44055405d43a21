import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { handler as refundCall } from '#functions/track/refund.ts';
import { keys } from '#lib/service/store/keys.ts';
import { eraseCustomer } from '#lib/service/use-cases/erase-customer.ts';
import {
  cleoOf,
  expectMoved,
  invoiceOf,
  nameClick,
  sellByCode,
  eventsOf,
  leftOf,
  namings,
  type Person,
  personOf,
  sessionOf,
} from '#test/support/clicked-and-coded.ts';
import { HOLD_OVER } from '#test/support/commissions.ts';
import { type Dashboard, dashboard } from '#test/support/dashboard.ts';
import { expectNothingHalfWritten, leftBehind } from '#test/support/invariants.ts';
import { changeProgram, clicked, settledLead, signedUp } from '#test/support/journeys.ts';
import { operated } from '#test/support/operator.ts';
import { customerOf, invoiced, paid, renewed, saleOf, subscribed } from '#test/support/payers.ts';
import { ownerOfBrand } from '#test/support/people.ts';
import { NOW, send } from '#test/support/request.ts';
import { unsoldOf } from '#test/support/single-payment-scenes.ts';
import { deliver, directBrand, openProcessor, stripeEvent } from '#test/support/stripe.ts';
import { type Brand, openWorld, type World } from '#test/support/world.ts';

// A checkout names the click, and the invoice of the same payment, which came before it, another partner's code.

openProcessor();

type Fields = Record<string, unknown>;
type Cleo = Awaited<ReturnType<typeof cleoOf>>;

let world: World;
let brand: Brand;
let cleo: Cleo;
let person: Person;
let owner: Dashboard;
let program: string;
let transactionId: string;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(() => open());

async function open(settings: Parameters<World['brand']>[0] = {}): Promise<void> {
  brand = await directBrand(world, settings);
  cleo = await cleoOf(world, brand);
  person = await personOf(brand);
  owner = dashboard((await ownerOfBrand(world, brand)).token);
  program = `/programs/${brand.program.id}`;
  transactionId = `in_${person.id}`;
}

const left = () => leftOf(world, person);
const refund = (cents: number, at = NOW) =>
  send(refundCall, { key: brand.key, body: { transaction_id: transactionId, refund_amount_cents: cents }, at });
const payOut = () => owner.post(`${program}/payouts`, {}, { at: HOLD_OVER });
/** The customer whom the code made. */
const madeOf = async () => String(((await left()).sale.attribution as Fields).clickId);
const commissionPath = async () => `${program}/commissions/${String((await left()).commission!.id)}`;

describe.each(Object.keys(namings))('a checkout that names its click by %s', (naming) => {
  it.each([
    ['before the invoice', [0, 1, 2, 3, 4, 5]],
    ['after it', [0, 1, 3, 2, 4, 5]],
    ['last of all', [0, 1, 3, 4, 5, 2]],
    ['after an invoice whose code is known later', [3, 2, 5, 4, 1, 0]],
    ['before an invoice whose code is known later', [2, 3, 5, 4, 0, 1]],
  ])('%s: the sale is the click’s partner’s', async (_, order) => {
    const events = eventsOf(person, naming);
    for (const at of order) await deliver(brand, events[at]!, events[at]!);
    await deliver(brand, renewed(person.id));
    await expectMoved(world, person);
    const { sale, commission, keyed, renewal } = await left();
    expect(sale).toMatchObject({
      refundedCents: 2450,
      code: 'SAVE10',
      attribution: { overruled: { partnerId: cleo.partner.id, by: 'code' } },
    });
    expect(commission).toMatchObject({ code: 'SAVE10', deductedCents: 490 });
    expect(keyed?.clickId).toBe(naming === 'its metadata' ? person.clickId : undefined);
    expect(renewal.sale).toMatchObject({ attribution: { partnerId: brand.partner.id, clickId: person.clickId } });
    expect(await unsoldOf(world, brand)).toEqual([]);
    await expectNothingHalfWritten(world);
  });
});

describe('the sale of a code', () => {
  beforeEach(() => sellByCode(person));

  it('moves as a whole, and its explanation tells so', async () => {
    const before = await left();
    const made = await madeOf();
    expect(before).toMatchObject({ commission: { partnerId: cleo.partner.id }, payer: made });
    await nameClick(person);
    await expectMoved(world, person);
    const { sale, commission, keyed, payerOf } = await left();
    expect(sale).toMatchObject({ id: before.sale.id, commissionId: before.commission!.id });
    expect(sale.attribution).toMatchObject({ movedFrom: made, window: { comparedWith: 'payment' } });
    expect([commission!.id, commission!.createdAt, commission!.holdUntil]).toEqual([
      before.commission!.id,
      before.commission!.createdAt,
      before.commission!.holdUntil,
    ]);
    expect(keyed).toMatchObject({ clickId: person.clickId, partnerId: brand.partner.id });
    expect(payerOf).toBe(1);
    const items = await world.items(`CUSTOMER#${made}`);
    expect(items).toMatchObject([
      { sk: 'CUSTOMER', status: 'click', source: 'code', unlinkedBy: 'processor', movedTo: person.clickId },
    ]);
    for (const gone of ['customerKey', 'gsi2pk', 'gsi2sk']) expect(items[0]).not.toHaveProperty(gone);
    const unlinked = await owner.post(`${program}/customers/${made}/unlink`, { reason: 'Not ours' });
    expect(unlinked.body.data).toMatchObject({ reason: `It turned out to be ${person.clickId}` });
    const { data } = (await owner.get(`${program}/sales/${transactionId}`)).body;
    expect(data.attribution).toMatchObject({
      resolved_by: 'click_id',
      partner: { id: brand.partner.id },
      overruled: { partner: { id: cleo.partner.id, name: 'Cleo' }, by: 'code' },
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

  it('goes by the terms of the click’s partner, and waits for an approval of its own', async () => {
    await owner.post(`${await commissionPath()}/approve`);
    const terms = { commission_type: 'percent', commission_rate: 50, hold_period_days: 3 };
    await owner.patch(`${program}/partners/${brand.partner.id}`, { terms });
    await nameClick(person);
    expect((await left()).commission).toMatchObject({
      partnerId: brand.partner.id,
      status: 'pending',
      amountCents: 2450,
      commissionRate: 50,
      terms: { from: 'partner' },
      holdUntil: new Date(NOW.getTime() + 3 * 86_400_000).toISOString(),
    });
    await expectNothingHalfWritten(world);
  });

  it('takes its refunds along, however many, and a dispute that is won later', async () => {
    for (let cents = 1; cents <= 110; cents++) {
      expect((await refund(cents, new Date(NOW.getTime() + cents * 60_000))).status).toBe(200);
    }
    await nameClick(person);
    await expectMoved(world, person);
    expect((await left()).refunds).toHaveLength(110);
    await expectNothingHalfWritten(world);
  });

  it('that was refunded as a whole is reversed, and pending again when a dispute is won', async () => {
    await owner.post(`${await commissionPath()}/approve`);
    const dispute = {
      id: `dp_${person.id}`,
      amount: 4900,
      payment_intent: `pi_${person.id}`,
      status: 'needs_response',
    };
    await deliver(brand, stripeEvent('charge.dispute.created', dispute));
    await nameClick(person);
    await expectMoved(world, person);
    expect((await left()).commission).toMatchObject({ status: 'reversed', deductedCents: 980 });
    await deliver(brand, stripeEvent('charge.dispute.closed', { ...dispute, status: 'won' }));
    expect((await left()).commission).toMatchObject({ status: 'pending', deductedCents: 0 });
  });

  it.each([
    ['was paid', 'paid', payOut],
    ['was rejected', 'rejected', async () => owner.post(`${await commissionPath()}/reject`, { reason: 'Fraud' })],
  ])('stays where its commission %s, and its explanation tells why', async (_, status, decide) => {
    expect((await decide()).status).toBe(200);
    const before = await left();
    const made = await madeOf();
    await deliver(brand, sessionOf(person), sessionOf(person));
    const { sale, commission, customer, payer } = await left();
    const overruled = { partnerId: brand.partner.id, by: 'click_id', isLate: true };
    expect(sale.attribution).toEqual({ ...(before.sale.attribution as object), overruled });
    expect(commission).toEqual(before.commission);
    expect(commission).toMatchObject({ status, partnerId: cleo.partner.id });
    expect(customer).toMatchObject({ status: 'click' });
    expect(payer).toBe(made);
    const { data } = (await owner.get(`${program}/sales/${transactionId}`)).body;
    expect(data.attribution.text).toMatch(
      /Another event of the payment named a click of .+, when the commission was paid or rejected already: the sale stayed\.$/,
    );
    await deliver(brand, renewed(person.id));
    expect((await left()).renewal.sale).toMatchObject({ attribution: { clickId: made } });
    await expectNothingHalfWritten(world);
  });

  it('that lacks its commission gets one of the click’s partner', async () => {
    await changeProgram(world, brand, { commissionRate: 0 });
    person = await personOf(brand);
    transactionId = `in_${person.id}`;
    await sellByCode(person);
    expect((await left()).sale).toMatchObject({ commissionState: 'failed' });
    await changeProgram(world, brand, { commissionRate: 20 });
    await refund(2450);
    await nameClick(person);
    await expectMoved(world, person);
    expect((await left()).sale).not.toHaveProperty('terms');
    expect(await operated(world, 'sale repair --all')).toEqual({ repaired: [], skipped: [] });
    await expectNothingHalfWritten(world);
  });

  it('stays while the commission of the click’s partner cannot be made', async () => {
    await changeProgram(world, brand, { commissionRate: 0 });
    await nameClick(person);
    expect((await left()).commission).toMatchObject({ partnerId: cleo.partner.id, amountCents: 980 });
    await expectNothingHalfWritten(world);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['the click’s partner was removed', () => changeProgram(world, brand, { removedPartnerIds: [brand.partner.id] })],
    ['codes come first', () => changeProgram(world, brand, { codePrecedence: 'code_first' })],
    ['the click is outside its window', () => changeProgram(world, brand, { attributionWindowDays: -1 })],
    [
      'the owner unlinked its customer',
      async () => owner.post(`${program}/customers/${await madeOf()}/unlink`, { reason: 'x' }),
    ],
    [
      'its customer was erased',
      async () =>
        eraseCustomer(world.deps(), { programId: brand.program.id, clickId: await madeOf() }, () => Promise.resolve()),
    ],
  ])('stays where %s', async (_, change) => {
    await change();
    const before = await left();
    await nameClick(person);
    const { sale, commission } = await left();
    expect(sale.attribution).toEqual(before.sale.attribution);
    expect(commission).toEqual(before.commission);
  });

  it('stays where a test card names the click, or a click that came only afterwards', async () => {
    const before = await left();
    await deliver(brand, stripeEvent('checkout.session.completed', sessionOf(person).data.object, { livemode: false }));
    const clickId = await clicked(brand, { at: new Date(NOW.getTime() + 60_000) });
    await deliver(brand, sessionOf({ ...person, clickId }));
    expect((await left()).sale.attribution).toEqual(before.sale.attribution);
  });

  it('moves to a customer of the same partner without overruling anybody', async () => {
    const own = await clicked({ affiliateUrl: cleo.affiliateUrl });
    await deliver(brand, sessionOf({ ...person, clickId: own }));
    const { attribution } = (await left()).sale as { attribution: Fields };
    expect(attribution).toMatchObject({ clickId: own, partnerId: cleo.partner.id, resolvedBy: 'click_id' });
    expect(attribution).not.toHaveProperty('overruled');
    await expectNothingHalfWritten(world);
  });

  it('moves to the customer whose address or key the other event tells, who may have bought before', async () => {
    const clickId = await clicked(brand);
    await settledLead(brand, { click_id: clickId, customer_key: `other_${person.id}`, email: `${person.id}@c.test` });
    await deliver(brand, paid(`${person.id}o`, { metadata: { service_click_id: clickId } }));
    await deliver(brand, subscribed(person.id, { customer_details: { email: `${person.id}@c.test` } }));
    expect((await left()).sale).toMatchObject({ attribution: { clickId, resolvedBy: 'email' } });
    person = await personOf(brand);
    transactionId = `in_${person.id}`;
    await sellByCode(person);
    await deliver(brand, subscribed(person.id, { metadata: { service_customer_key: `other_${person.id}` } }));
    expect((await left()).sale).toMatchObject({ attribution: { resolvedBy: 'code' } });
    const keyed = await signedUp(brand, `other_${person.id}`);
    await deliver(brand, subscribed(person.id, { metadata: { service_customer_key: `other_${person.id}` } }));
    expect((await left()).sale).toMatchObject({ attribution: { clickId: keyed, resolvedBy: 'customer_key' } });
    await expectNothingHalfWritten(world);
  });

  it('takes the key along only where the checkout names both, and the click has none', async () => {
    const key = `own_${person.id}`;
    await settledLead(brand, { click_id: person.clickId, customer_key: key });
    await nameClick(person);
    await expectMoved(world, person);
    expect((await left()).keyed).toBeUndefined();
    expect(await customerOf(world, person.clickId)).toMatchObject({ customerKey: key });
    await expectNothingHalfWritten(world);
  });

  it('leads whoever has just read the former customer to the one it became', async () => {
    const made = await madeOf();
    await nameClick(person);
    await world.deps().table.put(keys.payer(brand.program.id, `cus_late${person.id}`), { clickId: made });
    await deliver(brand, paid(`${person.id}l`, { customer: `cus_late${person.id}` }));
    expect(await saleOf(world, `cs_${person.id}l`)).toMatchObject({ attribution: { clickId: person.clickId } });
  });

  it('is among those of an erased person, with what was kept of the former customer', async () => {
    await deliver(brand, renewed(person.id, { currency: 'xxx' }));
    const made = await madeOf();
    await nameClick(person);
    const erasure = { programId: brand.program.id, clickId: made };
    const erased = await eraseCustomer(world.deps(), erasure, () => Promise.resolve());
    expect(erased).toEqual({ clickId: person.clickId, sales: 1 });
    const kept = (await world.items(`UNSOLD#${brand.program.id}`)).filter((item) => item.kept !== undefined);
    expect(kept).toEqual([]);
  });
});

it('another event of the payment that names nobody leaves the code its sale', async () => {
  await sellByCode(person);
  const before = await left();
  await deliver(brand, subscribed(person.id), invoiced(person.id));
  expect((await left()).sale.attribution).toEqual(before.sale.attribution);
  expect(await leftBehind(world, () => deliver(brand, invoiced(person.id)))).toHaveLength(1);
});

it('a code that brings nothing, told by the later invoice, is noted and overrules nobody', async () => {
  await deliver(brand, ...eventsOf(person, 'its metadata').slice(0, 3));
  await owner.patch(`${program}/codes/SAVE10`, { status: 'disabled' });
  await deliver(brand, invoiceOf(person));
  const { sale, commission } = await left();
  expect(sale).toMatchObject({ code: 'SAVE10', attribution: { partnerId: brand.partner.id } });
  expect(sale.attribution).not.toHaveProperty('overruled');
  expect(commission).toMatchObject({ code: 'SAVE10', history: [{ action: 'created' }] });
});
