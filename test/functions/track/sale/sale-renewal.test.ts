import { beforeEach, describe, expect, it } from 'vitest';
import { handler as refund } from '#functions/track/refund.ts';
import { handler } from '#functions/track/sale.ts';
import { commissionRejected } from '#test/support/payments/failed-sales.ts';
import { dashboard } from '#test/support/callers/dashboard.ts';
import { failing, sentAgain } from '#test/support/table/faults.ts';
import { countedHeaders } from '#test/support/callers/headers.ts';
import { expectNothingHalfWritten } from '#test/support/table/invariants.ts';
import { clicked, signedUp, sold } from '#test/support/payments/lives/journeys.ts';
import { invoiced, renewed, visitorOf } from '#test/support/payments/payers.ts';
import { ownerOfBrand } from '#test/support/programs/people.ts';
import { send } from '#test/support/callers/request.ts';
import { dependentTrips, sentCalls } from '#test/support/servers/sent-calls.ts';
import { deliver, directBrand, openProcessor } from '#test/support/stripe/stripe.ts';
import { warned } from '#test/support/programs/warnings.ts';
import type { Brand } from '#test/support/programs/world.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { opened } from '#test/support/cases/opened.ts';

// Tests of the decision whether a payment is a renewal, from the customer's earlier payments.

openProcessor();

let user: string;
let people = 0;
const world = openedWorld();
const brand = opened(() => directBrand(world));
beforeEach(async () => {
  user = `renewing${++people}`;
  await signedUp(brand, user);
});

let count = 0;
const newId = () => `renewal_${++count}`;
const ask = (body: object, from: Brand = brand) =>
  send(handler, { key: from.key, body: { transaction_id: newId(), amount_cents: 4900, customer_key: user, ...body } });
const paid = (body: object) => sold(brand, { transaction_id: newId(), customer_key: user, ...body });

/** The dashboard's explanation of a sale. */
async function explained(transactionId: string, of: Brand = brand) {
  const owner = dashboard((await ownerOfBrand(world, of)).token);
  const { data } = (await owner.get(`/programs/${of.program.id}/sales/${transactionId}`)).body;
  return [data.sale.is_recurring, data.sale.renewal_by];
}

const subscription = { sale_type: 'subscription', subscription_id: 'sub_1' };

it('a sale’s reply, its explanation and its commission agree on whether the sale is a renewal', async () => {
  const [first, second] = [newId(), newId()];
  const one = await ask({ transaction_id: first, ...subscription, is_recurring: true });
  expect(one).toEqual({
    status: 200,
    headers: countedHeaders(120),
    body: {
      success: true,
      sale_id: one.body.sale_id,
      commission_id: one.body.commission_id,
      attributed: true,
      is_recurring: false,
      message: 'Sale tracked successfully',
      warnings: [warned('possible_double_count')],
    },
  });
  const two = await ask({ transaction_id: second, ...subscription });
  expect(two.body).toEqual({
    success: true,
    sale_id: two.body.sale_id,
    commission_id: null,
    attributed: true,
    is_recurring: true,
    reason: 'commission_not_due',
    message: 'Sale tracked; no commission is due for this payment',
    warnings: [warned('possible_double_count')],
  });
  expect([await explained(first), await explained(second)]).toEqual([
    [false, null],
    [true, 'subscription_id'],
  ]);
});

describe('a second payment by a customer', () => {
  it.each<[string, object[], (boolean | undefined)[]]>([
    ['a second subscription is not', [subscription, { ...subscription, subscription_id: 'sub_2' }], [false, false]],
    ['a subscription without an id is', [{ sale_type: 'subscription' }, { sale_type: 'subscription' }], [false, true]],
    [
      'a subscription without an id after one with an id is',
      [subscription, { sale_type: 'subscription' }],
      [false, true],
    ],
    ['a first subscription after a purchase is not', [{}, subscription, subscription], [false, false, true]],
    [
      'a first subscription without an id after a purchase is not',
      [{}, { sale_type: 'subscription' }, {}, { sale_type: 'subscription' }],
      [false, false, false, true],
    ],
    ['a one-off purchase is not', [subscription, {}, { is_recurring: false }], [false, false, false]],
    ['any payment with is_recurring true is', [{}, { is_recurring: true }], [false, true]],
    [
      'a subscription with is_recurring false is',
      [subscription, { ...subscription, is_recurring: false }],
      [false, true],
    ],
    [
      'a known subscription without a type is',
      [{ subscription_id: 'sub_1' }, { subscription_id: 'sub_1' }],
      [false, true],
    ],
  ])('is a renewal or not: %s', async (_, bodies, decided) => {
    const answers = [];
    for (const body of bodies) answers.push((await ask(body)).body.is_recurring);
    expect(answers).toEqual(decided);
    await expectNothingHalfWritten(world);
  });

  it('is a renewal even if the first payment was refunded', async () => {
    const transactionId = newId();
    await paid({ transaction_id: transactionId, ...subscription });
    await send(refund, { key: brand.key, body: { transaction_id: transactionId } });
    expect((await ask(subscription)).body).toMatchObject({ is_recurring: true });
  });

  it('is not a renewal if the first payment was in test mode', async () => {
    await ask({ ...subscription, additional_data: { test_mode: true } });
    expect((await ask(subscription)).body).toMatchObject({ is_recurring: false });
  });

  it('is a renewal even if the first payment’s commission could not be stored yet', async () => {
    await failing('write', commissionRejected, () => ask({ sale_type: 'subscription' }));
    expect((await ask({ is_recurring: true })).body).toMatchObject({ is_recurring: true });
    expect((await ask({ sale_type: 'subscription' })).body).toMatchObject({ is_recurring: true });
    await failing('write', commissionRejected, () => ask(subscription));
    expect((await ask(subscription)).body).toMatchObject({ is_recurring: true });
  });

  it('is a renewal if one of the two payments was reported by the API and the other by Stripe', async () => {
    const one = await visitorOf(brand);
    await deliver(brand, invoiced(one.id, { metadata: one.metadata }));
    const body = { click_id: one.clickId, customer_key: undefined, subscription_id: `sub_${one.id}` };
    expect((await ask(body)).body).toMatchObject({ is_recurring: true });

    const two = await visitorOf(brand);
    const free = { ...two.metadata };
    await deliver(brand, renewed(two.id, { metadata: free }));
    expect(await explained(`in_${two.id}r`)).toEqual([false, null]);
    await ask({ click_id: two.clickId, customer_key: undefined });
    await deliver(brand, renewed(two.id, { metadata: free, id: `in_${two.id}b`, payments: { data: [] } }));
    expect(await explained(`in_${two.id}b`)).toEqual([true, 'billing_reason']);
  });

  it('is not taken for a renewal of itself if the AWS SDK sends its write twice', async () => {
    const transactionId = newId();
    const body = { transaction_id: transactionId, ...subscription };
    expect((await failing('write', sentAgain, () => ask(body))).status).toBe(200);
    expect(await explained(transactionId)).toEqual([false, null]);
    expect((await ask(body)).status).toBe(409);
  });
});

describe('a subscription_id that several customers send', () => {
  it('makes a payment a renewal only if the same customer has paid for it before, which costs a third round trip to the table', async () => {
    await paid(subscription);
    const other = user;
    user = `renewing${++people}`;
    await signedUp(brand, user);
    expect((await ask(subscription)).body).toMatchObject({ is_recurring: false });
    const calls = await sentCalls(() => ask(subscription));
    expect(dependentTrips(calls)).toBe(3);
    expect((await ask(subscription)).body).toMatchObject({ is_recurring: true });
    user = other;
    expect((await ask(subscription)).body).toMatchObject({ is_recurring: true });
  });

  it('makes a payment a renewal only if the customer has paid for it in the same program before', async () => {
    const others = await world.brand();
    const clickId = await clicked(others);
    await paid({ subscription_id: 'sub_shared' });
    const { body } = await ask({ click_id: clickId, customer_key: undefined, subscription_id: 'sub_shared' }, others);
    expect(body).toMatchObject({ is_recurring: false });
  });
});

describe('of ten parallel payments, exactly one is a first payment and nine are renewals', () => {
  it.each([
    ['for one subscription', subscription, {}],
    ['for one subscription, after a purchase', subscription, { first: {} }],
    ['for one subscription id that another customer has paid for as well', subscription, { other: subscription }],
    ['for a subscription without an id', { sale_type: 'subscription' }, {}],
    ['for a subscription without an id, after a purchase', { sale_type: 'subscription' }, { first: {} }],
    ['for payments with is_recurring true', { is_recurring: true }, {}],
  ] as [string, object, { first?: object; other?: object }][])('%s', async (_, body, { first, other }) => {
    const own = { ...body, ...('subscription_id' in body && { subscription_id: `sub_${user}` }) };
    if (first) await paid(first);
    if (other) {
      await signedUp(brand, `other_${user}`);
      await paid({ ...own, customer_key: `other_${user}` });
    }
    const replies = await Promise.all(Array.from({ length: 10 }, () => ask(own)));
    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    expect(replies.filter((reply) => reply.body.is_recurring === false)).toHaveLength(1);
    expect(replies.filter((reply) => reply.body.commission_id !== null)).toHaveLength(1);
    await expectNothingHalfWritten(world);
  });
});

it('the setting terms_apply: first_sale pays a renewal by the terms of the customer’s first sale', async () => {
  const firstTerms = await world.brand({ commissionType: 'recurring_percent', termsApply: 'first_sale' });
  await signedUp(firstTerms, user);
  await ask(subscription, firstTerms);
  await world
    .deps()
    .table.update({ pk: `PROGRAM#${firstTerms.program.id}`, sk: 'PROGRAM' }, { set: { commissionRate: 50 } });
  const transactionId = newId();
  await ask({ ...subscription, transaction_id: transactionId }, firstTerms);
  expect((await world.items(`SALE#${transactionId}`))[0]).toMatchObject({ commissionRate: 20, amountCents: 980 });
});
