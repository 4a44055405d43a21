import { beforeEach, describe, expect, it } from 'vitest';
import { handler as refund } from '#functions/track/refund.ts';
import { handler } from '#functions/track/sale.ts';
import { dashboard } from '#test/support/callers/dashboard.ts';
import { codedError } from '#test/support/servers/errors.ts';
import { failing, sentAgain } from '#test/support/table/faults.ts';
import { countedHeaders } from '#test/support/callers/headers.ts';
import { expectNothingHalfWritten, leftBehind } from '#test/support/table/invariants.ts';
import { anotherPartner, clicked, sold } from '#test/support/payments/lives/journeys.ts';
import {
  commissionOf,
  invoiced,
  paid,
  renewed,
  saleOf,
  subscribed,
  visitorOf,
  type Visitor,
} from '#test/support/payments/payers.ts';
import { ownerOfBrand } from '#test/support/programs/people.ts';
import { intentPaid } from '#test/support/payments/single-payments.ts';
import { unsoldOf } from '#test/support/payments/single-payment-scenes.ts';
import { send, type TestReply } from '#test/support/callers/request.ts';
import {
  charge,
  connected,
  deliver,
  deliverToPlatform,
  directBrand,
  dispute,
  openProcessor,
  type StripeEvent,
  stripeEvent,
} from '#test/support/stripe/stripe.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import type { Brand } from '#test/support/programs/world.ts';

// Tests of one payment that is reported by API and Stripe, or by API under two ids.

openProcessor();

const world = openedWorld();
let brand: Brand;
let person: Visitor;
beforeEach(async () => {
  brand = await directBrand(world);
  person = await visitorOf(brand);
});

const sell = (body: object, from: Brand = brand): Promise<TestReply> =>
  send(handler, { key: from.key, body: { amount_cents: 4900, click_id: person.clickId, ...body } });

const refunded = (transactionId: string): Promise<TestReply> =>
  send(refund, { key: brand.key, body: { transaction_id: transactionId } });

const duplicateOf = (saleId: unknown) =>
  codedError(409, 'duplicate_transaction', 'Duplicate transaction_id. This sale has already been recorded.', {
    sale_id: saleId,
    own: true,
  });

/** The ways an API sale can name the payment of Stripe's checkout. */
const names: Readonly<Record<string, (id: string) => object>> = {
  'the session as transaction_id': (id) => ({ transaction_id: `cs_${id}` }),
  'the intent as transaction_id': (id) => ({ transaction_id: `pi_${id}` }),
  'the session as provider_payment_id': (id) => ({ transaction_id: `order_${id}`, provider_payment_id: `cs_${id}` }),
  'the intent as provider_payment_id': (id) => ({ transaction_id: `order_${id}`, provider_payment_id: `pi_${id}` }),
  'the intent with provider stripe': (id) => ({
    transaction_id: `order_${id}`,
    provider: 'stripe',
    provider_payment_id: `pi_${id}`,
  }),
};
const transactionIdOf = (body: object): string => (body as { transaction_id: string }).transaction_id;

describe.each(Object.entries(names))('a sale that the API reports with %s of a Stripe payment', (_, named) => {
  it('is refused as a duplicate after Stripe’s event of that payment', async () => {
    const { id, metadata } = person;
    await deliver(brand, paid(id, { metadata }));
    const sale = await saleOf(world, `cs_${id}`);
    const reply: { value?: TestReply } = {};
    const left = await leftBehind(world, async () => {
      reply.value = await sell(named(id));
    });
    expect(reply.value).toEqual({ status: 409, headers: countedHeaders(120), body: duplicateOf(sale?.id) });
    // The brand's own id finds the event's sale from then on.
    const own = transactionIdOf(named(id));
    const changed = left.filter(({ pk }) => !String(pk).startsWith('WINDOW#'));
    expect(changed.map(({ pk, transactionId }) => [pk, transactionId])).toEqual(
      own.startsWith('order_') ? [[`PAYMENT#${brand.program.id}#${own}`, `cs_${id}`]] : [],
    );
  });

  it('gets the payment’s other ids from a later event, which changes nothing else', async () => {
    const { id, metadata } = person;
    const body = named(id);
    const first = await sell(body);
    expect(first.status).toBe(200);
    await deliver(brand, paid(id, { metadata, amount_total: 5900 }));
    await deliver(brand, stripeEvent('charge.refunded', charge(id, { amount_refunded: 2450 })));
    expect(await saleOf(world, transactionIdOf(body))).toMatchObject({
      id: first.body.sale_id,
      source: 'api',
      amountCents: 4900,
      refundedCents: 2450,
    });
    expect(await commissionOf(world, transactionIdOf(body))).toMatchObject({ amountCents: 980, deductedCents: 490 });
    const others = [`cs_${id}`, `pi_${id}`].filter((name) => name !== transactionIdOf(body));
    for (const other of others) expect(await saleOf(world, other)).toBeUndefined();
    expect(await unsoldOf(world, brand)).toEqual([]);
    await expectNothingHalfWritten(world);
  });

  it('is recorded once if Stripe’s event arrives in parallel', async () => {
    const rounds = Array.from({ length: 8 }, () => visitorOf(brand));
    const people = await Promise.all(rounds);
    for (const { id, clickId, metadata } of people) {
      const body = { ...named(id), click_id: clickId };
      const [reply] = await Promise.all([sell(body), deliver(brand, paid(id, { metadata }))]);
      const sales = await Promise.all(
        [...new Set([transactionIdOf(body), `cs_${id}`])].map((name) => saleOf(world, name)),
      );
      expect(sales.filter((sale) => sale !== undefined)).toHaveLength(1);
      expect([200, 409]).toContain(reply.status);
      const sale = sales.find((one) => one !== undefined);
      expect(reply.status === 200 ? reply.body.sale_id : reply.body.error.details.sale_id).toBe(sale?.id);
    }
    await expectNothingHalfWritten(world);
  });
});

const halfRefunded = (id: string) => stripeEvent('charge.refunded', charge(id, { amount_refunded: 2450 }));
/** A renewal whose event contains no identifier except the payer. */
const renewedOf = (id: string) => renewed(id, { customer: `cus_${id}` });

/** A repeated call, and its additional ids. */
const later: Readonly<Record<string, (id: string) => readonly [object, object]>> = {
  'the intent in addition to an order': (id) => [
    { transaction_id: `order_${id}` },
    { transaction_id: `order_${id}`, provider: 'stripe', provider_payment_id: `pi_${id}` },
  ],
  'the intent in addition to a session': (id) => [
    { transaction_id: `cs_${id}` },
    { transaction_id: `cs_${id}`, provider_payment_id: `pi_${id}` },
  ],
  'the intent instead of the session': (id) => [
    { transaction_id: `cs_${id}` },
    { transaction_id: `pi_${id}`, provider_payment_id: `cs_${id}` },
  ],
};

describe.each(Object.entries(later))('a sale that the API reports a second time, with %s,', (_, calls) => {
  it.each(['after it', 'before it'])(
    'is refused as a duplicate in that second call, and a refund with the new id that is reported %s is deducted',
    async (when) => {
      const { id } = person;
      const [first, second] = calls(id);
      const { body } = await sell(first);
      if (when === 'before it') await deliver(brand, halfRefunded(id));
      expect(await sell(second)).toEqual({
        status: 409,
        headers: countedHeaders(120, 2),
        body: duplicateOf(body.sale_id),
      });
      if (when === 'after it') await deliver(brand, halfRefunded(id));
      expect(await saleOf(world, transactionIdOf(first))).toMatchObject({ id: body.sale_id, refundedCents: 2450 });
      expect(await commissionOf(world, transactionIdOf(first))).toMatchObject({ amountCents: 980, deductedCents: 490 });
      const third = await leftBehind(world, () => sell(second));
      expect(third.filter(({ pk }) => !String(pk).startsWith('WINDOW#'))).toEqual([]);
      await expectNothingHalfWritten(world);
    },
  );

  it('is refused as a duplicate even if a Stripe event with the new id was recorded in between', async () => {
    const { id, metadata } = person;
    const [first, second] = calls(id);
    const { body } = await sell(first);
    await deliver(brand, intentPaid(id, metadata));
    const reply = await sell(second);
    const sales = await Promise.all([`order_${id}`, `cs_${id}`, `pi_${id}`].map((name) => saleOf(world, name)));
    const counting = sales.filter((one) => one !== undefined && one.duplicateOf === undefined);
    expect({ status: reply.status, counting: counting.map((one) => one!.id) }).toEqual({
      status: 409,
      counting: [body.sale_id],
    });
    expect(reply.body).toEqual(duplicateOf(body.sale_id));
    await expectNothingHalfWritten(world);
  });
});

describe('the Stripe customer who paid a sale that the API reported', () => {
  it('is stored when a later Stripe event names the sale’s customer, so that renewals find the partner', async () => {
    const { id, metadata } = person;
    await sell({ transaction_id: `cs_${id}`, subscription_id: `sub_${id}` });
    await deliver(brand, paid(id, { metadata }));
    await deliver(brand, renewedOf(id));
    expect(await saleOf(world, `in_${id}r`)).toMatchObject({
      attribution: { clickId: person.clickId, partnerId: brand.partner.id, resolvedBy: 'processor_customer' },
    });
    await expectNothingHalfWritten(world);
  });

  it('is not stored when a later Stripe event names another customer', async () => {
    const { id } = person;
    const other = await visitorOf(brand);
    await sell({ transaction_id: `cs_${id}` });
    await deliver(brand, paid(id, { metadata: other.metadata }));
    await deliver(brand, renewedOf(id));
    expect(await saleOf(world, `in_${id}r`)).toBeUndefined();
  });
});

describe('a later Stripe event of a payment that the API reported', () => {
  it('is found to belong to the sale, even if the event names no customer', async () => {
    const { id } = person;
    await sell({ transaction_id: `in_${id}` });
    await deliver(brand, renewed(id, { id: `in_${id}`, payment_intent: `pi_${id}`, customer: null }));
    await deliver(brand, stripeEvent('charge.dispute.created', dispute(id)));
    expect(await saleOf(world, `in_${id}`)).toMatchObject({ refundedCents: 4900, providerPaymentId: `pi_${id}` });
    expect(await unsoldOf(world, brand)).toEqual([]);
  });

  it('adds the tax to the sale if the program’s commissions exclude tax', async () => {
    brand = await directBrand(world, { commissionBase: 'excluding_tax' });
    person = await visitorOf(brand);
    const { id } = person;
    await sell({ transaction_id: `order_${id}`, provider_payment_id: `pi_${id}` });
    await deliver(brand, paid(id, { total_details: { amount_tax: 900 } }));
    expect(await saleOf(world, `order_${id}`)).toMatchObject({ taxCents: 900, baseCents: 4000 });
    expect(await commissionOf(world, `order_${id}`)).toMatchObject({ amountCents: 800 });
  });

  it('is found to belong to the sale, even in an unsupported currency', async () => {
    const { id, metadata } = person;
    await sell({ transaction_id: `order_${id}`, provider_payment_id: `pi_${id}` });
    await deliver(brand, paid(id, { metadata, currency: 'xxx' }));
    expect(await unsoldOf(world, brand)).toEqual([]);
    expect(await saleOf(world, `cs_${id}`)).toBeUndefined();
  });

  it('does not change the sale’s customer or partner', async () => {
    const { id, clickId } = person;
    const other = await anotherPartner(world, brand, 'Bea');
    const otherClick = await clicked(other);
    await sell({ transaction_id: `in_${id}` });
    await deliver(brand, invoiced(id, { metadata: { service_click_id: otherClick } }));
    expect(await saleOf(world, `in_${id}`)).toMatchObject({ attribution: { clickId, partnerId: brand.partner.id } });
    expect((await world.items(`CUSTOMER#${otherClick}`))[0]).toMatchObject({ status: 'click' });
  });

  it('adds no sale if it is the first checkout or invoice of a subscription, but its renewal is a second sale', async () => {
    const { id, metadata } = person;
    await sell({ transaction_id: `in_${id}`, subscription_id: `sub_${id}` });
    await deliver(brand, subscribed(id, { metadata }), invoiced(id, { metadata }), renewed(id, { metadata }));
    expect(await saleOf(world, `cs_${id}`)).toBeUndefined();
    expect(await saleOf(world, `in_${id}`)).toMatchObject({ source: 'api' });
    expect(await saleOf(world, `in_${id}r`)).toMatchObject({ source: 'processor', isRecurring: true });
  });

  it('finds the sale in the right one of the programs that share a Stripe account', async () => {
    const [one, two] = [await world.brand(), await world.brand()];
    const { id } = person;
    await connected(world, `acct_${id}`, [one, two]);
    const clickId = await clicked(two);
    await sold(two, { transaction_id: `in_${id}`, click_id: clickId });
    const event = renewed(id, { id: `in_${id}`, payment_intent: `pi_${id}`, customer: null });
    await deliverToPlatform({ ...event, account: `acct_${id}` });
    expect(await saleOf(world, `in_${id}`)).toMatchObject({ providerPaymentId: `pi_${id}` });
  });
});

it('a Stripe refund that came before its sale is deducted when the API reports the sale with the payment’s id', async () => {
  const { id } = person;
  await deliver(brand, stripeEvent('charge.refunded', charge(id, { amount_refunded: 2450 })));
  const { body } = await sell({ transaction_id: `order_${id}`, provider_payment_id: `pi_${id}` });
  expect(await saleOf(world, `order_${id}`)).toMatchObject({ refundedCents: 2450 });
  expect(await commissionOf(world, `order_${id}`)).toMatchObject({ id: body.commission_id, deductedCents: 490 });
  expect(await world.items(`PAYMENT#${brand.program.id}#ch_${id}`)).toMatchObject([{ transactionId: `order_${id}` }]);
  await expectNothingHalfWritten(world);
});

describe('a Stripe refund or dispute in another currency than the sale’s', () => {
  const half = { amount: 13_000, amount_refunded: 6_500, currency: 'gbp' };
  // A sale of 49.00 dollars has a commission of 9.80.
  it.each<[string, (id: string) => StripeEvent, refundedCents: number, deductedCents: number]>([
    ['deducts the same share for a refund', (id) => stripeEvent('charge.refunded', charge(id, half)), 2450, 490],
    [
      'deducts the whole sale for a full refund',
      (id) => stripeEvent('charge.refunded', charge(id, { ...half, amount_refunded: 13_000 })),
      4900,
      980,
    ],
    [
      'deducts the whole sale for a dispute',
      (id) => stripeEvent('charge.dispute.created', dispute(id, { amount: 13_000, currency: 'gbp' })),
      4900,
      980,
    ],
  ])('%s, whether it comes before or after the sale', async (_, told, refundedCents, deductedCents) => {
    for (const comesFirst of [true, false]) {
      person = await visitorOf(brand);
      const { id } = person;
      if (comesFirst) await deliver(brand, told(id));
      await sell({ transaction_id: `order_${id}`, provider_payment_id: `pi_${id}` });
      if (!comesFirst) await deliver(brand, told(id));
      expect(await saleOf(world, `order_${id}`)).toMatchObject({ refundedCents, currency: 'USD' });
      expect(await commissionOf(world, `order_${id}`)).toMatchObject({ deductedCents });
    }
    await expectNothingHalfWritten(world);
  });
});

it('a refund call finds the API’s sale by its payment intent, but not by a charge that no Stripe event has linked to it', async () => {
  const { id } = person;
  const { body } = await sell({ transaction_id: `order_${id}`, provider_payment_id: `pi_${id}` });
  const byCharge = await refunded(`ch_${id}`);
  expect([byCharge.status, byCharge.body]).toEqual([
    404,
    codedError(404, 'not_found', 'Sale not found for transaction_id'),
  ]);
  expect((await refunded(`pi_${id}`)).body).toMatchObject({ status: 'reversed', sale_id: body.sale_id });
});

/** The ids are unique to this test, although the tests share the table of cases. */
const bodyOf = (transactionId: string, more: object) =>
  JSON.parse(
    JSON.stringify({ transaction_id: transactionId, ...more }).replaceAll(
      /txn|first|second/g,
      (word) => `${word}_${person.id}`,
    ),
  );

describe('two sales that the API reports', () => {
  it.each([
    ['the same provider_payment_id', { provider_payment_id: 'txn' }, { provider_payment_id: 'txn' }],
    [
      'the same id, one with provider stripe',
      { provider: 'stripe', provider_payment_id: 'pi_txn' },
      { provider_payment_id: 'pi_txn' },
    ],
    [
      'the id of another provider',
      { provider: 'paddle', provider_payment_id: 'txn' },
      { provider: 'paddle', provider_payment_id: 'txn' },
    ],
    ['one id equal to the other’s transaction_id', { provider_payment_id: 'second' }, {}],
    ['the other’s transaction_id', {}, { provider_payment_id: 'first' }],
    ['a Stripe id equal to the other’s transaction_id', { provider_payment_id: 'pi_second' }, {}],
  ])('with %s are one payment: the second is a duplicate', async (_, first, second) => {
    const one = bodyOf('first', first);
    const secondName = JSON.stringify(first).includes('pi_second') ? 'pi_second' : 'second';
    const two = bodyOf(secondName, second);
    const recorded = await sell(one);
    expect(recorded.status).toBe(200);
    expect(await sell(two)).toEqual({
      status: 409,
      headers: countedHeaders(120, 2),
      body: duplicateOf(recorded.body.sale_id),
    });
    expect(await saleOf(world, two.transaction_id)).toBeUndefined();
  });

  it.each([
    [
      'of two providers',
      { provider: 'paddle', provider_payment_id: 'txn' },
      { provider: 'paypal', provider_payment_id: 'txn' },
    ],
    ['of one provider and of none', { provider: 'paddle', provider_payment_id: 'txn' }, { provider_payment_id: 'txn' }],
  ])('with the same payment id %s are two payments', async (_, first, second) => {
    const { id } = person;
    expect((await sell({ transaction_id: `1_${id}`, ...first })).status).toBe(200);
    expect((await sell({ transaction_id: `2_${id}`, ...second })).status).toBe(200);
  });

  it('of two programs with the same provider_payment_id are two payments', async () => {
    const other = await world.brand();
    const { id } = person;
    const theirs = { click_id: await clicked(other), provider_payment_id: `pi_${id}` };
    expect((await sell({ transaction_id: `1_${id}`, provider_payment_id: `pi_${id}` })).status).toBe(200);
    expect((await sell({ transaction_id: `2_${id}`, ...theirs }, other)).status).toBe(200);
  });

  it('with the same provider_payment_id are recorded once if ten arrive in parallel', async () => {
    const { id } = person;
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, n) => sell({ transaction_id: `${n}_${id}`, provider_payment_id: `pi_${id}` })),
    );
    const winners = replies.filter(({ status }) => status === 200);
    expect(winners).toHaveLength(1);
    const losers = replies.filter((reply) => !winners.includes(reply)).map(({ body }) => body);
    expect(losers).toEqual(Array.from({ length: 9 }, () => duplicateOf(winners[0]!.body.sale_id)));
    await expectNothingHalfWritten(world);
  });

  it('become one payment when a Stripe event names both ids: one of them is then a fully refunded duplicate', async () => {
    const { id, metadata } = person;
    await sell({ transaction_id: `in_${id}` });
    await sell({ transaction_id: `pi_${id}` });
    await deliver(brand, invoiced(id, { metadata, payment_intent: `pi_${id}` }));
    await deliver(brand, stripeEvent('charge.refunded', charge(id, { amount_refunded: 2450 })));
    expect(await saleOf(world, `in_${id}`)).toMatchObject({ amountCents: 4900, refundedCents: 2450 });
    expect(await saleOf(world, `pi_${id}`)).toMatchObject({ refundedCents: 4900, duplicateOf: `in_${id}` });
    await expectNothingHalfWritten(world);
  });
});

describe('a refused sale or a test with the payment id of another sale', () => {
  it('does not prevent that Stripe’s event of the payment is recorded if it was a refused API call', async () => {
    const { id, metadata } = person;
    const refused = await sell({ transaction_id: `pi_${id}`, click_id: 'clk_nobody' });
    expect(refused.status).toBe(400);
    await deliver(brand, paid(id, { metadata }));
    expect(await saleOf(world, `cs_${id}`)).toMatchObject({ source: 'processor' });
  });

  it('does not prevent a real API sale if it was a test sale; Stripe’s event of the payment is then no second sale', async () => {
    const { id, metadata } = person;
    const test = { additional_data: { test_mode: true }, provider_payment_id: `pi_${id}` };
    expect((await sell({ transaction_id: `t_${id}`, ...test })).status).toBe(200);
    expect((await sell({ transaction_id: `order_${id}`, provider_payment_id: `pi_${id}` })).status).toBe(200);
    await deliver(brand, paid(id, { metadata }));
    expect(await saleOf(world, `cs_${id}`)).toBeUndefined();
  });

  it('does not prevent a real API sale if it was a Stripe test event, whose refund leaves that sale unchanged', async () => {
    const { id, metadata } = person;
    const { object } = paid(id, { metadata }).data;
    await deliver(brand, stripeEvent('checkout.session.completed', object, { livemode: false }));
    expect((await sell({ transaction_id: `order_${id}`, provider_payment_id: `pi_${id}` })).status).toBe(200);
    await deliver(brand, stripeEvent('charge.refunded', charge(id), { livemode: false }));
    expect(await saleOf(world, `cs_${id}`)).toMatchObject({ isTest: true, refundedCents: 4900 });
    expect(await saleOf(world, `order_${id}`)).toMatchObject({ refundedCents: 0 });
  });

  it('does not change a real sale that the API has reported before, if it is a Stripe test event', async () => {
    const { id, metadata } = person;
    await sell({ transaction_id: `cs_${id}` });
    const before = await saleOf(world, `cs_${id}`);
    const { object } = paid(id, { metadata }).data;
    await deliver(brand, stripeEvent('checkout.session.completed', object, { livemode: false }));
    expect(await saleOf(world, `cs_${id}`)).toEqual(before);
  });
});

it('a sale whose write is sent twice after a lost reply keeps its payment ids', async () => {
  const { id } = person;
  const body = { transaction_id: `in_${id}`, provider_payment_id: `pi_${id}` };
  const reply = await failing('write', sentAgain, () => sell(body));
  expect(reply.status).toBe(200);
  expect(await sell(body)).toMatchObject({ status: 409, body: duplicateOf(reply.body.sale_id) });
});

it('if an owner’s retry records a payment under a new id, because another program uses its id, Stripe’s refund still finds it', async () => {
  const { id, metadata } = person;
  const other = await world.brand();
  await sold(other, { transaction_id: `in_${id}`, click_id: await clicked(other) });
  expect((await sell({ transaction_id: `in_${id}` })).status).toBe(409);
  const owner = dashboard((await ownerOfBrand(world, brand)).token);
  const retry = `/programs/${brand.program.id}/processor/payments/in_${id}/retry`;
  expect((await owner.post(retry)).body.data).toEqual({ recorded: true, reason: null });
  await deliver(
    brand,
    invoiced(id, { metadata }),
    stripeEvent('charge.refunded', charge(id, { amount_refunded: 2450 })),
  );
  expect(await saleOf(world, `${brand.program.id}_in_${id}`)).toMatchObject({ source: 'api', refundedCents: 2450 });
  expect(await saleOf(world, `in_${id}`)).toMatchObject({ programId: other.program.id, refundedCents: 0 });
});

it('a Stripe event leaves the list of unrecorded payments when the API reports its payment', async () => {
  const { id } = person;
  await deliver(brand, paid(id, { metadata: { service_click_id: 'clk_nobody' } }));
  expect(await unsoldOf(world, brand)).toMatchObject([{ transaction_id: `cs_${id}`, reason: 'unknown_click' }]);
  await sell({ transaction_id: `order_${id}`, provider_payment_id: `pi_${id}` });
  expect(await unsoldOf(world, brand)).toEqual([]);
});

it('a refund by the API and a refund by Stripe count for the same sale', async () => {
  const { id, metadata } = person;
  await sell({ transaction_id: `order_${id}`, provider_payment_id: `pi_${id}` });
  await deliver(brand, paid(id, { metadata }));
  await deliver(brand, stripeEvent('charge.refunded', charge(id, { amount_refunded: 1000 })));
  const body = { transaction_id: `order_${id}`, refund_amount_cents: 1500 };
  expect((await send(refund, { key: brand.key, body })).status).toBe(200);
  expect(await saleOf(world, `order_${id}`)).toMatchObject({ refundedCents: 1500 });
});
