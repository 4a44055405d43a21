import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { changeProgram } from '#lib/service/programs/program/change-program.ts';
import { handler as refund } from '#functions/track/refund.ts';
import { sha256 } from '#lib/service/ground/addresses/credential.ts';
import { commissionKey, commissionNameKey } from '#lib/service/earnings/commissions/commission-places-items.ts';
import { awaitingMonthWrites } from '#lib/service/earnings/commissions/awaiting-month-items.ts';
import { type Key, keys } from '#lib/service/ground/table/keys.ts';
import { findCommission } from '#lib/service/conversions/sales/sales-items.ts';
import { partnerAtWrite } from '#lib/service/programs/addresses/partners-at-items.ts';
import { grantCommission } from '#lib/service/earnings/commissions/grant-commission.ts';
import { failedFirstSale } from '#test/support/payments/failed-sales.ts';
import { clicked, settledLead, signedUp, sold, soldTo } from '#test/support/payments/lives/journeys.ts';
import { operated } from '#test/support/callers/operator.ts';
import { leadOf, paid, saleOf, visitorOf } from '#test/support/payments/payers.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import { charge, deliver, directBrand, openProcessor, stripeEvent } from '#test/support/stripe/stripe.ts';
import { type Brand, openWorld, type World } from '#test/support/programs/world.ts';

// Data that a restored table may lack: losses that `restore check` repairs, and losses that a person must decide on.

openProcessor();

let world: World;
let brand: Brand;
/** A brand created before the first check, which raises the ids of later programs by far. */
let lonely: Brand;
/** A brand that pays by the previous month's sales. */
let tiered: Brand;
beforeAll(async () => {
  world = await openWorld();
  brand = await directBrand(world);
  lonely = await world.brand();
  tiered = await world.brand({ tiers: [{ fromSales: 1, rate: 30 }] });
});

const TO = new Date(NOW.getTime() + 60_000);
const change = (key: Key, set: Record<string, unknown>) => world.deps().table.update(key, { set });
const lose = (key: Key) => world.deps().table.transact([{ name: 'lost', key, remove: true }]);
const has = async (key: Key) => (await world.deps().table.get(key)) !== undefined;

let names = 0;
let id: string;
beforeEach(() => {
  id = `lost ${++names}`;
});

/** Runs the check. @returns its lines that contain one of these texts */
async function check(...named: readonly string[]) {
  const { repaired, unrepaired } = await operated(
    world,
    ['restore', 'check', '--to', TO.toISOString(), '--former-table-lost'],
    TO,
  );
  const of = (lines: readonly string[]) => lines.filter((line) => named.some((name) => line.includes(name)));
  return { repaired: of(repaired), unrepaired: of(unrepaired) };
}

const nothing = { repaired: [], unrepaired: [] };

/** Makes a payment of 49.00 dollars that the processor reports. */
async function paidByCard() {
  const person = await visitorOf(brand);
  await deliver(brand, paid(person.id, { metadata: person.metadata }));
  return { ...person, transactionId: `cs_${person.id}` };
}

describe('`restore check` restores', () => {
  it('the item by which leads find partners with a similar e-mail address', async () => {
    const { key } = partnerAtWrite(brand.partner);
    const partner = `partner ${brand.partner.id} of program ${brand.program.id}`;
    expect(await has(key)).toBe(true);
    await lose(key);
    expect(await check(partner)).toEqual({ ...nothing, repaired: [`${partner}: its place for leads`] });
    expect(await has(key)).toBe(true);
    expect(await check(partner)).toEqual(nothing);
  });

  it('the items by which a partner without an account is found by e-mail address', async () => {
    const { id: programId, workspaceId } = brand.program;
    const { id: partnerId, name, email } = brand.partner;
    const [address, known] = [keys.partnerOfEmail(email, programId), keys.partnerEmail(workspaceId, email)];
    const partner = `partner ${partnerId} of program ${programId}`;
    expect([await has(address), await has(known)]).toEqual([true, true]);
    await lose(address);
    expect(await check(partner)).toEqual({ ...nothing, repaired: [`${partner}: its address`] });
    await lose(known);
    expect(await check(partner)).toEqual({ ...nothing, repaired: [`${partner}: its place in the workspace`] });
    expect(await world.items(known.pk)).toEqual([
      { ...known, id: partnerId, name, email, programIds: new Set([programId]) },
    ]);
    await change(known, { programIds: new Set([programId + 1]) });
    expect(await check(partner)).toEqual({ ...nothing, repaired: [`${partner}: its place in the workspace`] });
    expect(await world.items(known.pk)).toMatchObject([{ programIds: new Set([programId, programId + 1]) }]);
    await change(known, { programIds: new Set([programId]) });
    expect(await world.deps().table.get(address)).toMatchObject({ partnerId });
    expect(await check(partner)).toEqual(nothing);
  });

  it('the item by which a customer is found by the e-mail address of the lead', async () => {
    const clickId = await clicked(brand);
    await settledLead(brand, { click_id: clickId, email: 'jo@lost.test' });
    const { email } = (await leadOf(world, clickId)) as { email: { hash: string } };
    const key = keys.email(brand.program.id, email.hash, NOW.toISOString(), clickId);
    expect(await has(key)).toBe(true);
    await lose(key);
    expect(await check(clickId)).toEqual({ ...nothing, repaired: [`customer ${clickId}: its address`] });
    expect(await has(key)).toBe(true);
    expect(await check(clickId)).toEqual(nothing);
  });

  it('the lead’s own item as confirmed if the customer’s item says that it is', async () => {
    const clickId = await signedUp(brand, id);
    await change(keys.lead(clickId), { state: 'provisional' });
    expect(await check(clickId)).toEqual({ ...nothing, repaired: [`customer ${clickId}: its lead`] });
    expect(await leadOf(world, clickId)).toMatchObject({ state: 'settled' });
    expect(await check(clickId)).toEqual(nothing);
  });

  it('the item that lists a sale without a commission for `sale repair`', async () => {
    const failed = await failedFirstSale(brand);
    const key = keys.saleToRepair(NOW.toISOString(), failed.id);
    await lose(key);
    expect(await check(failed.id)).toEqual({
      ...nothing,
      repaired: [`sale ${failed.id}: its note for sale repair`],
    });
    expect(await has(key)).toBe(true);
    expect((await operated(world, `sale repair --transaction ${failed.id}`)).repaired).toEqual([failed.id]);
    expect(await check(failed.id)).toEqual(nothing);
  });

  it('the item that says that a commission waits for the final sales of a month', async () => {
    await soldTo(tiered, id, { transaction_id: id });
    const [listed] = awaitingMonthWrites((await findCommission(world.deps().table, id))!);
    const { key } = listed!;
    expect(await has(key)).toBe(true);
    await lose(key);
    const what = `sale ${id}: that its commission awaits the sales of a month`;
    expect(await check(id)).toEqual({ ...nothing, repaired: [what] });
    expect(await has(key)).toBe(true);
    expect(await check(id)).toEqual(nothing);
  });

  it('a consistent state by deleting the item that lists a lost sale for `sale repair`', async () => {
    const failed = await failedFirstSale(brand);
    await lose(keys.sale(failed.id));
    expect(await check(failed.id)).toEqual({
      ...nothing,
      repaired: [`sale ${failed.id}: lost and can be sent again`],
    });
    expect(await has(keys.saleToRepair(NOW.toISOString(), failed.id))).toBe(false);
  });

  it.each(['cs_', 'pi_'])('the item of the payment id %s, by which a refund finds its sale', async (prefix) => {
    const person = await paidByCard();
    await lose(keys.payment(brand.program.id, `${prefix}${person.id}`));
    expect(await check(person.transactionId)).toEqual({
      ...nothing,
      repaired: [`sale ${person.transactionId}: payment ${prefix}${person.id}`],
    });
    await deliver(brand, stripeEvent('charge.refunded', charge(person.id, { amount_refunded: 1_000 })));
    expect(await saleOf(world, person.transactionId)).toMatchObject({ refundedCents: 1_000 });
    expect(await check(person.transactionId)).toEqual(nothing);
  });
});

it.each([undefined, 'paddle'] as const)(
  '`restore check` restores the items of a sale’s payment id, sent with provider %s, and of its subscription',
  async (provider) => {
    const [payment, subscription] = [`pay_${id}`, `sub_${id}`];
    const body = { provider, provider_payment_id: payment, sale_type: 'subscription', subscription_id: subscription };
    const clickId = await signedUp(brand, id);
    await sold(brand, { transaction_id: id, customer_key: id, ...body });
    await lose(keys.payment(brand.program.id, payment, provider));
    await lose(keys.subscription(brand.program.id, subscription));
    await change(keys.customer(clickId), { hasPaidFor: undefined });
    expect(await check(`sale ${id}`)).toEqual({
      ...nothing,
      repaired: [
        `sale ${id}: its customer's conversion`,
        `sale ${id}: payment ${payment}`,
        `sale ${id}: its subscription ${subscription}`,
      ],
    });
    expect(await check(`sale ${id}`)).toEqual(nothing);
    expect(await has(keys.payment(brand.program.id, payment, provider))).toBe(true);
  },
);

describe('`restore check` leaves unchanged', () => {
  it('an erased customer', async () => {
    const clickId = await signedUp(brand, id);
    await change(keys.customer(clickId), { erasedAt: NOW.toISOString() });
    await lose(keys.lead(clickId));
    expect(await check(clickId)).toEqual(nothing);
  });

  it('a test sale', async () => {
    await signedUp(brand, id);
    await soldTo(brand, `${id} again`, { transaction_id: id, additional_data: { test_mode: true } });
    expect(await check(id)).toEqual(nothing);
  });
});

const bonus = { amountCents: 5_000, currency: 'USD', reason: 'Bonus' };
const granted = () => grantCommission(world.deps(), brand.partner, bonus, 'account:1');

describe('`restore check`, for a commission granted by hand,', () => {
  it('restores the item by which the commission is listed', async () => {
    const commission = await granted();
    await lose(commissionNameKey(commission));
    const repaired = [`commission ${commission.id}: its name`];
    expect(await check(`commission ${commission.id}:`)).toEqual({ ...nothing, repaired });
    expect(await has(commissionNameKey(commission))).toBe(true);
    expect(await check(`commission ${commission.id}:`)).toEqual(nothing);
  });

  it('deletes the item by which the commission is listed if the commission itself was lost', async () => {
    const commission = await granted();
    await lose(commissionKey(commission));
    const repaired = [`commission ${commission.id}: lost and can be granted again`];
    expect(await check(`commission ${commission.id}:`)).toEqual({ ...nothing, repaired });
    expect(await world.items(`COMMISSION#${commission.id}`)).toEqual([]);
    expect(await check(`commission ${commission.id}:`)).toEqual(nothing);
  });

  it('does not use the platform fee of that commission when it recreates the lost commission of a sale', async () => {
    await soldTo(brand, `other ${id}`, { transaction_id: `other ${id}` });
    await soldTo(brand, id, { transaction_id: id });
    await granted();
    await lose(keys.commission(id));
    expect(await check(`sale ${id}`)).toEqual({ ...nothing, repaired: [`sale ${id}: its commission`] });
    expect(await world.items(keys.sale(id).pk)).toMatchObject([{ platformFee: { bps: 350 } }, {}]);
  });
});

it('`restore check` recreates a lost commission by the terms version stored in its sale, or by the present terms if none is stored', async () => {
  await soldTo(brand, `other ${id}`, { transaction_id: `other ${id}` });
  await soldTo(brand, id, { transaction_id: id });
  await changeProgram(world.deps(), brand.program.id, () => ({ commissionRate: 50 }));
  const made = async () => {
    await lose(keys.commission(id));
    expect(await check(`sale ${id}`)).toEqual({ ...nothing, repaired: [`sale ${id}: its commission`] });
    return world.deps().table.get(keys.commission(id));
  };
  expect(await made()).toMatchObject({ commissionRate: 20, terms: { version: 1 } });
  await world.deps().table.update(keys.sale(id), { set: { termsVersion: undefined } });
  expect(await made()).toMatchObject({ commissionRate: 50, terms: { version: 2 } });
  await changeProgram(world.deps(), brand.program.id, () => ({ commissionRate: 20 }));
});

describe('`restore check` reports for a manual decision', () => {
  it('a lost customer', async () => {
    const clickId = await signedUp(brand, id);
    await lose(keys.customer(clickId));
    expect(await check(clickId)).toEqual({
      ...nothing,
      unrepaired: [`customer ${clickId}: lost, with events of it left`],
    });
  });

  it('a lost sale whose commission was paid out', async () => {
    await soldTo(brand, id, { transaction_id: id });
    await change(keys.commission(id), { status: 'paid', paidAt: NOW.toISOString() });
    await lose(keys.sale(id));
    expect(await check(`sale ${id}`)).toEqual({
      ...nothing,
      unrepaired: [`sale ${id}: lost, and its commission is paid`],
    });
    expect(await has(keys.commission(id))).toBe(true);
  });

  it('a payment that is recorded as waiting for its sale although the sale exists', async () => {
    const { id: payment, transactionId } = await paidByCard();
    await change(keys.payment(brand.program.id, `pi_${payment}`), { transactionId: undefined });
    expect(await check(transactionId)).toEqual({
      ...nothing,
      unrepaired: [`sale ${transactionId}: what waits for payment pi_${payment}; send its events again`],
    });
  });

  it('a refund by Stripe that the sale lacks', async () => {
    const { id: payment, transactionId } = await paidByCard();
    await deliver(brand, stripeEvent('charge.refunded', charge(payment, { amount_refunded: 1_000 })));
    await change(keys.sale(transactionId), { refundedCents: 0, refundReason: undefined, reversals: undefined });
    expect(await check(transactionId)).toEqual({
      ...nothing,
      unrepaired: [`sale ${transactionId}: a refund of the processor; send its events again`],
    });
  });

  it('a lost commission that would not be due by the present data', async () => {
    await soldTo(brand, `other ${id}`, { transaction_id: `other ${id}` });
    await soldTo(brand, id, { transaction_id: id });
    await change(keys.sale(id), { isRecurring: true });
    await lose(keys.commission(id));
    expect(await check(`sale ${id}`)).toEqual({
      ...nothing,
      unrepaired: [`sale ${id}: its commission (no commission is due for this payment)`],
    });
  });

  it('a lost commission that was the program’s only one, because no other one says what the platform fee was', async () => {
    await soldTo(lonely, id, { transaction_id: id });
    await lose(keys.commission(id));
    expect(await check(`sale ${id}`)).toEqual({
      ...nothing,
      unrepaired: [`sale ${id}: its commission is lost, and no other one tells the fee`],
    });
  });
});

it('`restore check` restores the row of a refund from the sale’s total, and deducts its share of the commission', async () => {
  await soldTo(brand, id, { transaction_id: id });
  await send(refund, { key: brand.key, body: { transaction_id: id, refund_amount_cents: 2_450 } });
  const step = (await world.items(keys.sale(id).pk)).find(({ sk }) => String(sk).startsWith('REFUND#'))!;
  await lose({ pk: String(step.pk), sk: String(step.sk) });
  await change(keys.commission(id), { deductedCents: 0, refundState: 'none' });
  expect(await check(`sale ${id}`)).toEqual({ ...nothing, repaired: [`sale ${id}: its refund`] });
  expect(await world.items(keys.sale(id).pk)).toMatchObject([
    { sk: 'COMMISSION', deductedCents: 490, refundState: 'partial' },
    { amountCents: 2_450, refundedCents: 2_450, deductionCents: 490 },
    { sk: 'SALE', refundedCents: 2_450 },
  ]);
  expect(await check(`sale ${id}`)).toEqual(nothing);
});

const told = (refundId: string | undefined, cents: number, correction?: true) =>
  send(refund, {
    key: brand.key,
    body: { transaction_id: id, refund_id: refundId, refund_amount_cents: cents, correction },
  });
const saleNow = async () => (await world.items(keys.sale(id).pk)).find(({ sk }) => sk === 'SALE')!;

/** Makes calls, then restores the sale as it was before them. */
async function rewound(calls: () => Promise<unknown>) {
  const { refundedCents, refundReason, reversals } = await saleNow();
  await calls();
  await change(keys.sale(id), { refundedCents, refundReason, reversals });
}

describe('`restore check`, if a restore lost a part of a refund or correction,', () => {
  it('adds the newest refund to the sale’s total if the sale lacks it', async () => {
    await soldTo(brand, id, { transaction_id: id });
    await told('re_1', 1000);
    await rewound(() => told('re_2', 500));
    expect(await check(`sale ${id}`)).toEqual({ ...nothing, repaired: [`sale ${id}: its refund`] });
    expect(await saleNow()).toMatchObject({ refundedCents: 1500, reversals: { apiCents: 0, namedCents: 1500 } });
    expect(await check(`sale ${id}`)).toEqual(nothing);
    expect((await told('re_2', 500)).body).toMatchObject({ status: 'skipped', reason: 'already refunded' });
    expect((await told('re_2', 0, true)).body).toMatchObject({ status: 'corrected', refunded_amount_cents: 1000 });
  });

  it('adds the only refund to the sale’s total if the sale lacks it', async () => {
    await soldTo(brand, id, { transaction_id: id });
    await rewound(() => told('re_1', 1000));
    expect(await check(`sale ${id}`)).toEqual({ ...nothing, repaired: [`sale ${id}: its refund`] });
    expect(await saleNow()).toMatchObject({ refundedCents: 1000, reversals: { apiCents: 0, namedCents: 1000 } });
    expect(await check(`sale ${id}`)).toEqual(nothing);
  });

  it('restores the lost row of a refund that the sale’s total includes', async () => {
    await soldTo(brand, id, { transaction_id: id });
    await told('re_1', 1000);
    await lose(keys.namedRefund(id, sha256('re_1')));
    expect(await check(`sale ${id}`)).toEqual({ ...nothing, repaired: [`sale ${id}: its refund`] });
    expect(await check(`sale ${id}`)).toEqual(nothing);
    expect((await told('re_1', 1000)).body).toMatchObject({ status: 'skipped', reason: 'already refunded' });
    expect(await saleNow()).toMatchObject({ refundedCents: 1000 });
  });

  it.each(['re_1', undefined])('applies a correction that the sale lacks, with the refund_id %s', async (refundId) => {
    await soldTo(brand, id, { transaction_id: id });
    await told('re_1', 1000);
    await rewound(() => told(refundId, 400, true));
    expect(await check(`sale ${id}`)).toEqual({ ...nothing, repaired: [`sale ${id}: its refund`] });
    expect(await saleNow()).toMatchObject({ refundedCents: 400 });
    expect(await check(`sale ${id}`)).toEqual(nothing);
    expect((await told('re_2', 100)).body).toMatchObject({ status: 'refunded', refunded_amount_cents: 500 });
  });
});

it('`restore check` restores the lost row of a correction of the refund total', async () => {
  await soldTo(brand, id, { transaction_id: id });
  const body = { transaction_id: id, refund_amount_cents: 0, correction: true };
  await send(refund, { key: brand.key, body: { transaction_id: id } });
  await send(refund, { key: brand.key, body });
  const steps = (await world.items(keys.sale(id).pk)).filter(({ sk }) => String(sk).startsWith('REFUND#'));
  const lost = steps.find(({ reason }) => reason === 'correction')!;
  await lose({ pk: String(lost.pk), sk: String(lost.sk) });
  expect(await check(`sale ${id}`)).toEqual({ ...nothing, repaired: [`sale ${id}: its refund`] });
  const items = await world.items(keys.sale(id).pk);
  expect(items.filter(({ sk }) => String(sk).startsWith('REFUND#'))).toMatchObject([
    { amountCents: 4_900, deductionCents: 980 },
    { amountCents: -4_900, deductionCents: -980, reason: 'correction' },
  ]);
  expect(await check(`sale ${id}`)).toEqual(nothing);
});
