import { afterEach, describe, expect, it } from 'vitest';
import { handler as leadCall } from '#functions/track/lead.ts';
import { handler as refundCall } from '#functions/track/refund.ts';
import { handler as saleCall } from '#functions/track/sale.ts';
import { expectNothingHalfWritten } from '#test/support/table/invariants.ts';
import { browserLead } from '#test/support/payments/lives/journeys.ts';
import {
  buyer,
  commissionOf,
  customerOf,
  invoiced,
  paid,
  renewed,
  saleOf,
  subscribed,
  type Visitor,
  visitor,
  visitorOf,
} from '#test/support/payments/payers.ts';
import { send } from '#test/support/callers/request.ts';
import {
  charge,
  connected,
  deliver,
  directEndpoint,
  dispute,
  openProcessor,
  RECEIVED,
  sendPlatform,
  type StripeEvent,
  stripeEvent,
} from '#test/support/stripe/stripe.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// Tests of events that the processor delivers in parallel, together with API calls.

openProcessor();

const world = openedWorld();
afterEach(() => expectNothingHalfWritten(world));

const atOnce = ({ brand }: Pick<Visitor, 'brand'>, ...events: readonly StripeEvent[]) =>
  Promise.all(events.map((event) => deliver(brand, event)));

const tenTimes = <T>(thing: T): T[] => Array.from({ length: 10 }, () => thing);

const kindsOf = async (transactionId: string) =>
  (await world.items(`SALE#${transactionId}`)).map(({ sk }) => String(sk).split('#')[0]);

const refunded = (id: string, cents: number, more: object = {}) =>
  stripeEvent('charge.refunded', charge(id, { amount_refunded: cents, ...more }));

describe('ten parallel deliveries of one Stripe event', () => {
  it('give one sale if it is a payment', async () => {
    const person = await visitor(world);
    const { id, clickId, metadata } = person;
    await browserLead({ click_id: clickId });
    await atOnce(person, ...tenTimes(paid(id, { metadata: { ...metadata, service_customer_key: `user_${id}` } })));
    expect(await kindsOf(`cs_${id}`)).toEqual(['COMMISSION', 'SALE']);
    expect(await customerOf(world, clickId)).toMatchObject({ status: 'conversion', customerKey: `user_${id}` });
  });

  it('give one refund if it is a refund', async () => {
    const person = await buyer(world);
    await atOnce(person, ...tenTimes(refunded(person.id, 2450)));
    expect(await kindsOf(`cs_${person.id}`)).toEqual(['COMMISSION', 'REFUND', 'SALE']);
    expect(await commissionOf(world, `cs_${person.id}`)).toMatchObject({ deductedCents: 490 });
  });

  it('disconnect the account once if it says that the account was removed', async () => {
    const brand = await world.brand();
    await connected(world, 'acct_1', [brand]);
    const event = stripeEvent('account.application.deauthorized', {}, { account: 'acct_1' });
    const replies = await Promise.all(tenTimes(event).map((each) => sendPlatform(each)));
    expect(replies).toEqual(tenTimes(RECEIVED));
    expect(await world.items('PROCESSOR_ACCOUNT#acct_1')).toEqual([]);
  });
});

describe('different Stripe events in parallel', () => {
  it('give one sale and settle one lead if they are a subscription’s checkout and two events about its first invoice', async () => {
    const person = await visitor(world);
    const { id, clickId, metadata } = person;
    await browserLead({ click_id: clickId });
    const told = { metadata: { ...metadata, service_customer_key: `user_${id}` } };
    await atOnce(person, subscribed(id, told), invoiced(id, told), invoiced(id, told, 'invoice.payment_succeeded'));
    expect(await kindsOf(`in_${id}`)).toEqual(['COMMISSION', 'SALE']);
    expect(await customerOf(world, clickId)).toMatchObject({ leadState: 'settled', customerKey: `user_${id}` });
  });

  it('give one sale if they are an invoice and a checkout that does not name the invoice', async () => {
    const person = await visitor(world);
    const { id, metadata } = person;
    await atOnce(person, subscribed(id, { metadata, invoice: null }), invoiced(id, { metadata }));
    const sales = [await saleOf(world, `cs_${id}`), await saleOf(world, `in_${id}`)];
    expect(sales.filter((sale) => sale !== undefined)).toHaveLength(1);
  });

  it('leave only the refund deducted if they are a payment, its partial refund, and a dispute that the brand wins', async () => {
    const person = await visitor(world);
    const { id, metadata } = person;
    await atOnce(
      person,
      refunded(id, 2450),
      stripeEvent('charge.dispute.created', dispute(id)),
      paid(id, { metadata }),
      stripeEvent('charge.dispute.closed', dispute(id, { status: 'won' })),
    );
    expect(await saleOf(world, `cs_${id}`)).toMatchObject({ refundedCents: 2450, refundReason: 'refund' });
    expect(await commissionOf(world, `cs_${id}`)).toMatchObject({ status: 'pending', deductedCents: 490 });
  });

  it('deduct the highest total if they are refunds with five rising totals', async () => {
    const person = await buyer(world);
    await atOnce(person, ...[500, 1500, 2500, 3500, 1000].map((cents) => refunded(person.id, cents)));
    expect(await saleOf(world, `cs_${person.id}`)).toMatchObject({ refundedCents: 3500 });
    expect(await commissionOf(world, `cs_${person.id}`)).toMatchObject({ deductedCents: 700 });
  });

  it('are all deducted once the payment is reported if they are refunds of its five charges', async () => {
    const person = await visitor(world);
    const { brand, id, metadata } = person;
    await atOnce(person, ...[1, 2, 3, 4, 5].map((n) => refunded(id, 100, { id: `ch_${id}_${n}` })));
    await deliver(brand, paid(id, { metadata }));
    expect(await saleOf(world, `cs_${id}`)).toMatchObject({ refundedCents: 500 });
  });

  it('give five sales and one payer if they are five renewals of one customer', async () => {
    const person = await visitor(world, { commissionType: 'recurring_percent' });
    const { id, metadata, brand } = person;
    await atOnce(person, ...[1, 2, 3, 4, 5].map((n) => renewed(`${id}${n}`, { metadata, customer: `cus_${id}` })));
    const sales = await Promise.all([1, 2, 3, 4, 5].map((n) => saleOf(world, `in_${id}${n}r`)));
    expect(sales.map((sale) => sale?.commissionState)).toEqual(Array(5).fill('created'));
    expect(sales.filter((sale) => sale?.isRecurring === false)).toHaveLength(1);
    expect(await world.items(`PAYER#${brand.program.id}#cus_${id}`)).toHaveLength(1);
  });
});

describe('a Stripe event in parallel with an API call', () => {
  it('gives one sale if both have the same transaction id', async () => {
    const person = await visitor(world);
    const { brand, clickId, id, metadata } = person;
    const body = { transaction_id: `cs_${id}`, amount_cents: 4900, click_id: clickId };
    const [reply] = await Promise.all([
      send(saleCall, { key: brand.key, body }),
      atOnce(person, paid(id, { metadata })),
    ]);
    expect([200, 409]).toContain(reply.status);
    expect(await kindsOf(`cs_${id}`)).toEqual(['COMMISSION', 'SALE']);
  });

  it('gives one refund if both report the same refund', async () => {
    const person = await buyer(world);
    const { brand, id } = person;
    const body = { transaction_id: `cs_${id}`, refund_amount_cents: 2450 };
    const [reply] = await Promise.all([send(refundCall, { key: brand.key, body }), atOnce(person, refunded(id, 2450))]);
    expect(reply.status).toBe(200);
    expect(await saleOf(world, `cs_${id}`)).toMatchObject({ refundedCents: 2450 });
    expect(await kindsOf(`cs_${id}`)).toEqual(['COMMISSION', 'REFUND', 'SALE']);
  });

  it('confirms a lead once if both name its click', async () => {
    const person = await visitor(world);
    const { brand, clickId, id, metadata } = person;
    await browserLead({ click_id: clickId, customer_key: `user_${id}` });
    const body = { click_id: clickId, customer_key: `user_${id}` };
    const [reply] = await Promise.all([
      send(leadCall, { key: brand.key, body }),
      atOnce(person, paid(id, { metadata })),
    ]);
    // The lead is refused if the payment was faster.
    expect([200, 400]).toContain(reply.status);
    expect(await customerOf(world, clickId)).toMatchObject({
      status: 'conversion',
      leadState: 'settled',
      customerKey: `user_${id}`,
    });
    expect(await kindsOf(`cs_${id}`)).toEqual(['COMMISSION', 'SALE']);
  });
});

it('an event that arrives at both Stripe endpoints in parallel has its effect once', async () => {
  const brand = await world.brand();
  await connected(world, 'acct_2', [brand]);
  await directEndpoint(world, brand);
  const { id, metadata } = await visitorOf(brand);
  const event = { ...paid(id, { metadata }), account: 'acct_2' };
  await Promise.all(tenTimes(event).map((each, n) => (n % 2 ? deliver(brand, each) : sendPlatform(each))));
  expect(await kindsOf(`cs_${id}`)).toEqual(['COMMISSION', 'SALE']);
});
