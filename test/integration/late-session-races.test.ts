import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { handler as saleCall } from '#functions/track/sale.ts';
import { handler as refundCall } from '#functions/track/refund.ts';
import { eraseCustomer } from '#lib/service/use-cases/erase-customer.ts';
import {
  cleoOf,
  expectMoved,
  nameClick,
  sellByCode,
  invoiceOf,
  leftOf,
  type Person,
  personOf,
  refundHalf,
  sessionOf,
} from '#test/support/clicked-and-coded.ts';
import { HOLD_OVER } from '#test/support/commissions.ts';
import { type Dashboard, dashboard } from '#test/support/dashboard.ts';
import { failingTransactionOf, inConflict, overtakenBy, replyLost, sentAgain } from '#test/support/faults.ts';
import { expectNothingHalfWritten } from '#test/support/invariants.ts';
import { clicked, settledLead } from '#test/support/journeys.ts';
import { operated } from '#test/support/operator.ts';
import { paid, renewed } from '#test/support/payers.ts';
import { ownerOfBrand } from '#test/support/people.ts';
import { NOW, send } from '#test/support/request.ts';
import { counted, counterItems } from '#test/support/stream.ts';
import { deliver, directBrand, openProcessor, sendDirect } from '#test/support/stripe.ts';
import { type Brand, openWorld, type World } from '#test/support/world.ts';

// A checkout names the click, after the invoice of the same payment has brought another partner's code the sale: beside
// other sales, at the same moment as something else, or with a failure in between.

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
const tellOfClick = () => nameClick(person);
const refund = (cents: number, at = NOW) =>
  send(refundCall, { key: brand.key, body: { transaction_id: transactionId, refund_amount_cents: cents }, at });
const payOut = () => owner.post(`${program}/payouts`, {}, { at: HOLD_OVER });
/** The customer whom the code made. */
const madeOf = async () => String(((await left()).sale.attribution as Fields).clickId);
const commissionPath = async () => `${program}/commissions/${String((await left()).commission!.id)}`;

const again = () => paid(`${person.id}s`, { customer: `cus_${person.id}` });
const soldAgain = async () => {
  const items = await world.items(`SALE#cs_${person.id}s`);
  return { sale: items.find(({ sk }) => sk === 'SALE'), commission: items.find(({ sk }) => sk === 'COMMISSION') };
};
const ofClick = () => ({
  sale: { attribution: { clickId: person.clickId, partnerId: brand.partner.id, resolvedBy: 'processor_customer' } },
  commission: { partnerId: brand.partner.id, clickId: person.clickId },
});
const refundOfRenewal = () =>
  send(refundCall, { key: brand.key, body: { transaction_id: `in_${person.id}r`, refund_amount_cents: 2450 } });

describe('what else was sold to the code’s customer', () => {
  beforeEach(async () => {
    await open({ commissionType: 'recurring_percent' });
    await sellByCode(person);
  });

  it('moves, too', async () => {
    await deliver(brand, again(), renewed(person.id));
    expect(await soldAgain()).toMatchObject({ commission: { partnerId: cleo.partner.id } });
    await nameClick(person);
    expect(await soldAgain()).toMatchObject(ofClick());
    expect((await left()).renewal).toMatchObject(ofClick());
    await expectNothingHalfWritten(world);
  });

  it('earns by the terms of the click’s partner: nothing for a renewal, or what it earned nobody before', async () => {
    const once = { terms: { commission_type: 'percent', commission_rate: 10 } };
    await owner.patch(`${program}/partners/${brand.partner.id}`, once);
    await deliver(brand, renewed(person.id));
    await refundOfRenewal();
    await nameClick(person);
    expect((await left()).renewal).toMatchObject({ sale: { commissionState: 'notDue' }, commission: undefined });
    await expectNothingHalfWritten(world);

    person = await personOf(brand);
    transactionId = `in_${person.id}`;
    await owner.patch(`${program}/partners/${brand.partner.id}`, { terms: null });
    await owner.patch(`${program}/partners/${cleo.partner.id}`, once);
    await sellByCode(person);
    await deliver(brand, renewed(person.id));
    await refundOfRenewal();
    expect((await left()).renewal).toMatchObject({ sale: { commissionState: 'notDue' } });
    await nameClick(person);
    expect((await left()).renewal).toMatchObject({
      ...ofClick(),
      commission: { amountCents: 980, deductedCents: 490 },
    });
    await expectNothingHalfWritten(world);
  });

  it('stays where its commission was rejected', async () => {
    await deliver(brand, again());
    const { commission } = await soldAgain();
    await owner.post(`${program}/commissions/${String(commission!.id)}/reject`, { reason: 'Fraud' });
    await nameClick(person);
    await expectMoved(world, person);
    expect(await soldAgain()).toMatchObject({ commission: { partnerId: cleo.partner.id } });
    await expectNothingHalfWritten(world);
    const { data } = (await owner.get(`${program}/sales/cs_${person.id}s`)).body;
    const day = NOW.toISOString().slice(0, 10);
    const { clickId } = person;
    expect(data.attribution.text).toContain(
      `A payment told on ${day} that the customer is ${clickId}, who has the later sales.`,
    );
    expect(data.timeline).toContainEqual(expect.objectContaining({ text: `Customer turned out to be ${clickId}` }));
  });

  it.each<[string, () => Promise<unknown>]>([
    ['by the processor', () => deliver(brand, again())],
    [
      'by the API',
      async () => {
        const body = { transaction_id: `cs_${person.id}s`, amount_cents: 4900, customer_key: person.customerKey };
        expect((await send(saleCall, { key: brand.key, body })).status).toBe(200);
      },
    ],
  ])('%s moves when it is sold at the same moment', async (_, sell) => {
    await failingTransactionOf(`SALE#cs_${person.id}s`, overtakenBy(tellOfClick), sell);
    const { sale, commission } = await soldAgain();
    expect(sale).toMatchObject({ attribution: { clickId: person.clickId, partnerId: brand.partner.id } });
    expect(commission).toMatchObject({ partnerId: brand.partner.id });
    await expectMoved(world, person);

    await expectNothingHalfWritten(world);
    person = await personOf(brand);
    transactionId = `in_${person.id}`;
    await sellByCode(person);
    await failingTransactionOf(`SALE#${transactionId}`, overtakenBy(sell), tellOfClick);
    expect((await soldAgain()).commission).toMatchObject({ partnerId: brand.partner.id });
    person = await personOf(brand);
    transactionId = `in_${person.id}`;
    await sellByCode(person);
    await Promise.all([sell(), nameClick(person)]);
    expect((await soldAgain()).commission).toMatchObject({ partnerId: brand.partner.id });
    await expectMoved(world, person);
    await expectNothingHalfWritten(world);
  });

  it('moves when the event is delivered again after a failure in between', async () => {
    await deliver(brand, again());
    const event = sessionOf(person);
    const failed = failingTransactionOf(
      `SALE#cs_${person.id}s`,
      () => Promise.reject(Object.assign(new Error('Made by the test'), { name: 'InternalServerError' })),
      () => sendDirect(brand.program.id, event),
    );
    expect((await failed).status).toBe(500);
    await expectMoved(world, person);
    expect((await soldAgain()).commission).toMatchObject({ partnerId: cleo.partner.id });
    await deliver(brand, event);
    expect(await soldAgain()).toMatchObject(ofClick());
    await expectNothingHalfWritten(world);
  });
});

describe('a move', () => {
  beforeEach(() => sellByCode(person));

  it.each([
    ['whose answer is lost', replyLost],
    ['that is sent again', sentAgain],
    ['that meets another transaction', inConflict],
  ])('by a write %s is made once', async (_, fault) => {
    const event = sessionOf(person);
    await failingTransactionOf(`SALE#${transactionId}`, fault, () => deliver(brand, event)).catch(() => undefined);
    await deliver(brand, event);
    await expectMoved(world, person);
    const actions = ((await left()).commission!.history as { action: string }[]).map(({ action }) => action);
    expect(actions).toEqual(['created', 'recalculated']);
    await expectNothingHalfWritten(world);
  });

  const rivals = {
    'a refund': () => refund(2450),
    'a refund of the processor': () => deliver(brand, refundHalf(person)),
    'an approval': async () => owner.post(`${await commissionPath()}/approve`),
    'another event of the click': tellOfClick,
    'a second event of the invoice': () => deliver(brand, invoiceOf(person)),
    'a lead of the click': () =>
      settledLead(brand, { click_id: person.clickId, customer_key: person.customerKey }).catch(() => undefined),
    'a sale of the click': () =>
      deliver(brand, paid(`${person.id}c`, { metadata: { service_click_id: person.clickId } })),
  };

  it.each(Object.entries(rivals))('and %s at the same moment agree', async (_, rival) => {
    await failingTransactionOf(`SALE#${transactionId}`, overtakenBy(rival), tellOfClick);
    await expectMoved(world, person);
    await expectNothingHalfWritten(world);
    person = await personOf(brand);
    transactionId = `in_${person.id}`;
    await sellByCode(person);
    await expect(Promise.all([rival(), nameClick(person)])).resolves.toHaveLength(2);
    await expectMoved(world, person);
    await expectNothingHalfWritten(world);
  });

  it('and a refund that has read the sale before agree', async () => {
    await failingTransactionOf(`SALE#${transactionId}`, overtakenBy(tellOfClick), () => refund(2450));
    await expectMoved(world, person);
    expect((await left()).commission).toMatchObject({ deductedCents: 490 });
  });

  it('and a payout agree: one of the partners is paid, and has the sale', async () => {
    for (const race of [
      () => failingTransactionOf(`SALE#${transactionId}`, overtakenBy(payOut), tellOfClick),
      () => Promise.all([payOut(), nameClick(person)]),
    ]) {
      await race();
      const { sale, commission } = await left();
      expect((sale.attribution as Fields).partnerId).toBe(commission!.partnerId);
      await expectNothingHalfWritten(world);
      await open();
      await sellByCode(person);
    }
    await nameClick(person);
    expect((await payOut()).body.data).toMatchObject({ items: [{ partner_id: brand.partner.id, amount_cents: 980 }] });
  });

  it('and an erasure of either customer agree', async () => {
    const erase = (clickId: string) =>
      eraseCustomer(world.deps(), { programId: brand.program.id, clickId }, () => Promise.resolve());
    const made = await madeOf();
    await failingTransactionOf(
      `SALE#${transactionId}`,
      overtakenBy(() => erase(person.clickId)),
      tellOfClick,
    );
    expect((await left()).sale).toMatchObject({ attribution: { clickId: made, partnerId: cleo.partner.id } });
    const late = await clicked(brand);
    const other = { ...person, clickId: late };
    await failingTransactionOf(
      `SALE#${transactionId}`,
      overtakenBy(() => erase(made)),
      () => deliver(brand, sessionOf(other)),
    );
    expect((await left()).sale).toMatchObject({ attribution: { clickId: made, partnerId: cleo.partner.id } });
    await expectNothingHalfWritten(world);
  });

  it('is followed by the counters, and a rebuild finds nothing to correct', async () => {
    await refund(2450);
    await counted(world);
    await nameClick(person);
    await counted(world);
    const counters = await counterItems(world);
    const { id } = brand.program;
    expect(counters[`CUSTOMER#${person.clickId}`]).toEqual({ revenueUSD: 4900, refundedUSD: 2450, commissionUSD: 490 });
    expect(counters[`PARTNER#${id}#${brand.partner.id}`]).toMatchObject({
      sales: 1,
      revenueUSD: 4900,
      commissionUSD: 490,
    });
    expect(counters[`PARTNER#${id}#${cleo.partner.id}`]).toBeUndefined();
    expect(counters[`CODE#${id}#save10`]).toEqual({ redemptions: 1 });
    await operated(world, 'metrics rebuild-all');
    await counted(world);
    expect(await counterItems(world)).toEqual(counters);
  });
});
