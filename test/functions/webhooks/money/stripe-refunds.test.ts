import { describe, expect, it } from 'vitest';
import { handler as refundCall } from '#functions/track/refund.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { leftBehind } from '#test/support/table/invariants.ts';
import {
  buyer,
  commissionOf,
  invoiced,
  paid,
  refundedCentsOf,
  renewed,
  saleOf,
  subscribed,
  visitor,
} from '#test/support/payments/payers.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import {
  charge,
  checkoutSession,
  connected,
  deliver,
  deliverAt,
  openProcessor,
  RECEIVED,
  sendPlatform,
  type StripeEvent,
  stripeEvent,
} from '#test/support/stripe/stripe.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// Tests of refunds to the customer.

openProcessor();

const world = openedWorld();

const DAY_MS = 86_400_000;
const later = (ms: number) => new Date(NOW.getTime() + ms);

const refunded = (id: string, cents: number, more: object = {}) =>
  stripeEvent('charge.refunded', charge(id, { amount_refunded: cents, ...more }));

const leftBy = (brand: Parameters<typeof deliver>[0], event: StripeEvent) =>
  leftBehind(world, () => deliver(brand, event));

describe('a charge.refunded event', () => {
  it('contains the total refunded so far, and each event deducts only what was not deducted before', async () => {
    const { brand, id } = await buyer(world);
    await deliver(brand, refunded(id, 2450), refunded(id, 2450), refunded(id, 1000), refunded(id, 4900));
    expect(await saleOf(world, `cs_${id}`)).toMatchObject({ refundedCents: 4900, refundReason: 'refund' });
    expect((await world.items(`SALE#cs_${id}`)).filter(({ sk }) => String(sk).startsWith('REFUND'))).toEqual([
      expect.objectContaining({
        reason: 'refund',
        amountCents: 2450,
        refundedCents: 2450,
        deductionCents: 490,
        source: 'processor',
      }),
      expect.objectContaining({ reason: 'refund', amountCents: 2450, refundedCents: 4900, deductionCents: 490 }),
    ]);
    expect(await commissionOf(world, `cs_${id}`)).toMatchObject({ status: 'reversed', refundState: 'full' });
  });

  it('adds its amount to the refunds of other charges of the payment, up to the amount of the sale', async () => {
    const { brand, id } = await buyer(world);
    await deliver(brand, refunded(id, 3000), refunded(id, 3000, { id: `ch_${id}b` }));
    expect(await refundedCentsOf(world, `cs_${id}`)).toBe(4900);
  });

  it('is not counted again if the brand reports the same refund through the refund endpoint', async () => {
    const { brand, id } = await buyer(world);
    const call = (cents: number) =>
      send(refundCall, { key: brand.key, body: { transaction_id: `cs_${id}`, refund_amount_cents: cents } });
    await deliver(brand, refunded(id, 2450));
    expect((await call(2450)).body).toMatchObject({ status: 'skipped', reason: 'already refunded' });
    expect((await call(3000)).body).toMatchObject({ status: 'refunded', refunded_amount_cents: 3000 });
    await deliver(brand, refunded(id, 3000));
    expect(await refundedCentsOf(world, `cs_${id}`)).toBe(3000);
  });

  it.each<[string, (id: string) => object]>([
    ['payment intent', () => ({})],
    ['payment intent as an object', (id) => ({ payment_intent: { id: `pi_${id}`, object: 'payment_intent' } })],
  ])('finds the sale by %s', async (_, named) => {
    const { brand, id } = await buyer(world);
    await deliver(brand, stripeEvent('charge.refunded', charge(id, { amount_refunded: 100, ...named(id) })));
    expect(await refundedCentsOf(world, `cs_${id}`)).toBe(100);
  });

  it('finds the sale by invoice, as in older API versions', async () => {
    const { brand, id, metadata } = await visitor(world);
    await deliver(brand, invoiced(id, { metadata, payments: undefined }));
    await deliver(brand, refunded(id, 100, { payment_intent: null, invoice: `in_${id}` }));
    expect(await refundedCentsOf(world, `in_${id}`)).toBe(100);
  });

  it('finds the sale by charge, as in older API versions', async () => {
    const { brand, id, metadata } = await visitor(world);
    await deliver(brand, invoiced(id, { metadata, payments: undefined, charge: `ch_${id}` }));
    await deliver(brand, refunded(id, 100, { payment_intent: null }));
    expect(await refundedCentsOf(world, `in_${id}`)).toBe(100);
  });

  it.each([
    ['with amount zero', { amount_refunded: 0 }],
    ['with a negative amount', { amount_refunded: -1 }],
    ['without a number', { amount_refunded: '100' }],
    ['without an id', { id: null }],
  ])('%s is ignored', async (_, more) => {
    const { brand, id } = await buyer(world);
    expect(await leftBy(brand, stripeEvent('charge.refunded', charge(id, more)))).toEqual([]);
  });
});

describe('a refund that Stripe reports', () => {
  it('is deducted if it comes before its sale, and the sale arrives within 30 days', async () => {
    const { brand, id, metadata } = await visitor(world);
    await deliver(brand, refunded(id, 2450));
    await deliverAt(later(30 * DAY_MS - 1), brand, paid(id, { metadata }));
    expect(await refundedCentsOf(world, `cs_${id}`)).toBe(2450);
    expect(await commissionOf(world, `cs_${id}`)).toMatchObject({ deductedCents: 490, refundState: 'partial' });
  });

  it('is forgotten after 30 days without its sale, but a later refund of the sale counts', async () => {
    const { brand, id, metadata } = await visitor(world);
    await deliver(brand, refunded(id, 2450));
    await deliverAt(later(30 * DAY_MS), brand, paid(id, { metadata }));
    expect(await refundedCentsOf(world, `cs_${id}`)).toBe(0);
    await deliverAt(later(31 * DAY_MS), brand, refunded(id, 1000));
    expect(await refundedCentsOf(world, `cs_${id}`)).toBe(1000);
  });

  it('waits for its sale another 30 days from each further event about the payment', async () => {
    const { brand, id, metadata } = await visitor(world);
    await deliver(brand, refunded(id, 1000));
    await deliverAt(later(29 * DAY_MS), brand, refunded(id, 2450));
    await deliverAt(later(40 * DAY_MS), brand, paid(id, { metadata }));
    expect(await refundedCentsOf(world, `cs_${id}`)).toBe(2450);
  });

  it('waits for its sale in every program of the Stripe account, until the payment names one of the programs', async () => {
    const { brand, id, metadata } = await visitor(world);
    const { program } = brand;
    const others = Array.from({ length: 70 }, (_, n) => ({ program: { ...program, id: 1_000_000 + n } }));
    const { table } = world.deps();
    for (const other of others) await table.put(keys.program(other.program.id), other.program);
    const account = `acct_${id}`;
    await connected(world, account, [...others, brand]);

    const refund = stripeEvent('charge.refunded', charge(id, { amount_refunded: 2450 }), { account });
    for (const event of [refund, refund]) expect(await sendPlatform(event)).toEqual(RECEIVED);
    const named = { ...metadata, program_id: program.id };
    const payment = stripeEvent('checkout.session.completed', checkoutSession(id, { metadata: named }), { account });
    expect(await sendPlatform(payment)).toEqual(RECEIVED);
    expect(await refundedCentsOf(world, `cs_${id}`)).toBe(2450);
  });

  it('after its sale is deducted even 400 days later, because the payment’s ids are stored with the sale', async () => {
    const { brand, id } = await buyer(world);
    await deliverAt(later(400 * DAY_MS), brand, refunded(id, 100));
    expect(await refundedCentsOf(world, `cs_${id}`)).toBe(100);
  });
});

const linked = (id: string) =>
  stripeEvent('invoice_payment.paid', {
    id: `inpay_${id}`,
    invoice: `in_${id}`,
    payment: { type: 'payment_intent', payment_intent: `pi_${id}` },
  });

describe('an invoice_payment.paid event, which names an invoice and its payment intent,', () => {
  it.each<[string, readonly ('invoice' | 'link' | 'refund')[]]>([
    ['last, after sale and refund', ['invoice', 'refund', 'link']],
    ['between sale and refund', ['invoice', 'link', 'refund']],
    ['before sale and refund', ['link', 'invoice', 'refund']],
    ['between refund and sale', ['refund', 'link', 'invoice']],
    ['last, after refund and sale', ['refund', 'invoice', 'link']],
    ['before refund and sale', ['link', 'refund', 'invoice']],
  ])('lets a refund of the payment intent reach the sale of the invoice, if the event arrives %s', async (_, order) => {
    const { brand, id, metadata } = await visitor(world);
    const events = {
      invoice: invoiced(id, { metadata, payments: undefined }),
      link: linked(id),
      refund: refunded(id, 2450),
    };
    for (const name of order) await deliver(brand, events[name]);
    expect(await saleOf(world, `in_${id}`)).toMatchObject({ refundedCents: 2450 });
    expect(await commissionOf(world, `in_${id}`)).toMatchObject({ deductedCents: 490 });
  });

  it('lets a refund reach the sale that the subscription’s checkout created', async () => {
    const { brand, id, metadata } = await visitor(world);
    await deliver(brand, refunded(id, 2450), subscribed(id, { metadata, invoice: null }));
    expect(await refundedCentsOf(world, `cs_${id}`)).toBe(0);
    await deliver(brand, linked(id), invoiced(id, { metadata, payments: undefined }));
    expect(await refundedCentsOf(world, `cs_${id}`)).toBe(2450);
    expect(await saleOf(world, `in_${id}`)).toBeUndefined();
  });

  it('is ignored if it names an invoice but no payment intent', async () => {
    const { brand, id } = await visitor(world);
    expect(
      await leftBy(brand, stripeEvent('invoice_payment.paid', { invoice: `in_${id}`, payment: { type: 'charge' } })),
    ).toEqual([]);
  });
});

it('a refund of a renewal does not change the sale of the first payment', async () => {
  const { brand, id, metadata } = await visitor(world);
  await deliver(brand, subscribed(id, { metadata }), renewed(id, { metadata }), refunded(`${id}r`, 4900));
  expect([await refundedCentsOf(world, `in_${id}`), await refundedCentsOf(world, `in_${id}r`)]).toEqual([0, 4900]);
});
