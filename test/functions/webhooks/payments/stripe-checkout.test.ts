import { describe, expect, it } from 'vitest';
import { allItems, expectNothingHalfWritten } from '#test/support/table/invariants.ts';
import { browserLead, clicked, settledLead } from '#test/support/payments/lives/journeys.ts';
import { customerOf, leadOf, paid, saleOf, visitor } from '#test/support/payments/payers.ts';
import { NOW } from '#test/support/callers/request.ts';
import { checkoutSession, deliver, openProcessor, stripeEvent } from '#test/support/stripe/stripe.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// Tests which checkouts become sales, and their effect on the customer.

openProcessor();

const world = openedWorld();

const MINUTE_LATER = new Date(NOW.getTime() + 60_000);
const AT = NOW.toISOString();

const paidLater = (id: string, metadata: object) =>
  stripeEvent('checkout.session.completed', checkoutSession(id, { metadata }), { at: MINUTE_LATER });

describe('a Stripe checkout of a single payment', () => {
  it('becomes one sale with its commission and converts the customer', async () => {
    const { brand, clickId, id, metadata } = await visitor(world);
    await deliver(brand, paidLater(id, metadata));
    const paidAt = MINUTE_LATER.toISOString();
    const [commission, sale, ...others] = await world.items(`SALE#cs_${id}`);
    expect(others).toEqual([]);
    expect(sale).toEqual({
      pk: `SALE#cs_${id}`,
      sk: 'SALE',
      gsi1pk: `PROGRAM#${brand.program.id}#PROCESSOR_EVENTS#sale`,
      gsi1sk: `${AT}#${String(sale?.id)}`,
      id: expect.any(Number),
      programId: brand.program.id,
      transactionId: `cs_${id}`,
      source: 'processor',
      amountCents: 4900,
      currency: 'USD',
      saleType: 'payment',
      isRecurring: false,
      provider: 'stripe',
      providerPaymentId: `pi_${id}`,
      livemode: true,
      occurredAt: paidAt,
      createdAt: AT,
      refundedCents: 0,
      commissionState: 'created',
      commissionId: commission?.id,
      termsVersion: { version: 1, from: 'program', name: brand.program.name },
      attribution: {
        clickId,
        partnerId: brand.partner.id,
        shortLink: brand.shortLink,
        resolvedBy: 'click_id',
        identifier: clickId,
        window: { comparedWith: 'payment', comparedAt: paidAt, ageMs: 60_000, windowDays: 60, within: true },
      },
    });
    expect(commission).toMatchObject({
      sk: 'COMMISSION',
      amountCents: 980,
      status: 'pending',
      occurredAt: paidAt,
      history: [
        { at: AT, actor: 'processor', action: 'created', from: null, to: 'pending', amountCents: 980, reason: null },
      ],
    });
    expect(await customerOf(world, clickId)).toMatchObject({ status: 'conversion', firstPurchaseAt: paidAt });
  });

  it('becomes a sale only once Stripe reports it as paid', async () => {
    const { brand, id, metadata } = await visitor(world);
    const session = checkoutSession(id, { metadata, payment_status: 'unpaid' });
    await deliver(
      brand,
      stripeEvent('checkout.session.completed', session),
      stripeEvent('checkout.session.async_payment_failed', session),
    );
    expect(await saleOf(world, `cs_${id}`)).toBeUndefined();
    await deliver(
      brand,
      stripeEvent('checkout.session.async_payment_succeeded', { ...session, payment_status: 'paid' }),
    );
    expect(await saleOf(world, `cs_${id}`)).toMatchObject({ amountCents: 4900, commissionState: 'created' });
  });

  it.each([
    ['that costs nothing', { amount_total: 0 }],
    ['that costs less than nothing', { amount_total: -1 }],
    ['with a non-integer total', { amount_total: '4900' }],
    ['without a required payment', { amount_total: 0, payment_status: 'no_payment_required' }],
    ['in setup mode', { mode: 'setup' }],
    ['in an unknown mode', { mode: 'other' }],
    ['without an id', { id: null }],
    ['in an unsupported currency', { currency: 'gbp' }],
    ['without a currency', { currency: null }],
  ])('%s is no sale and stores nothing', async (_, more) => {
    const { brand, id, metadata } = await visitor(world);
    const before = await allItems(world);
    await deliver(brand, paid(id, { metadata, ...more }));
    expect(await allItems(world)).toEqual(before);
  });

  it.each([['eur'], ['VND']])('can be in the currency %s', async (currency) => {
    const { brand, id, metadata } = await visitor(world);
    await deliver(brand, paid(id, { metadata, currency }));
    expect(await saleOf(world, `cs_${id}`)).toMatchObject({ currency: currency.toUpperCase(), amountCents: 4900 });
  });

  it('settles a lead that a browser sent, at that lead’s time, and does not give the customer the key that the browser claimed', async () => {
    const { brand, clickId, id, metadata } = await visitor(world);
    const email = `jo.${id}@customers.test`;
    await browserLead({ click_id: clickId, customer_key: `user_${id}`, email });
    await deliver(brand, paidLater(id, metadata));
    expect(await customerOf(world, clickId)).toMatchObject({
      status: 'conversion',
      leadState: 'settled',
      signupAt: AT,
      email: { masked: 'j***@customers.test' },
    });
    expect(await leadOf(world, clickId)).toMatchObject({ state: 'settled', mode: 'processor', createdAt: AT });
    expect(await saleOf(world, `cs_${id}`)).toMatchObject({
      attribution: { window: { comparedWith: 'signup', comparedAt: AT } },
    });
    expect(await customerOf(world, clickId)).not.toHaveProperty('customerKey');
    expect(await world.items(`KEY#user_${id}`)).toEqual([]);
  });

  it('gives the customer the key from its metadata, not the key that the browser claimed', async () => {
    const { brand, clickId, id, metadata } = await visitor(world);
    await browserLead({ click_id: clickId, customer_key: `claimed_${id}` });
    await deliver(brand, paid(id, { metadata: { ...metadata, service_customer_key: `user_${id}` } }));
    expect(await customerOf(world, clickId)).toMatchObject({ customerKey: `user_${id}` });
    expect(await world.items(`KEY#claimed_${id}`)).toEqual([]);
  });

  it('does not give the customer a key that another customer has', async () => {
    const { brand, clickId, id, metadata } = await visitor(world);
    await browserLead({ click_id: clickId, customer_key: `user_${id}` });
    await settledLead(brand, { click_id: await clicked(brand), customer_key: `user_${id}` });
    await deliver(brand, paid(id, { metadata: { ...metadata, service_customer_key: `user_${id}` } }));
    const customer = await customerOf(world, clickId);
    expect(customer).toMatchObject({ status: 'conversion', leadState: 'settled', signupAt: AT });
    expect(customer).not.toHaveProperty('customerKey');
    await expectNothingHalfWritten(world);
  });

  it('gives a customer who has no lead the key from its metadata, as the sale endpoint does', async () => {
    const { brand, clickId, id, metadata } = await visitor(world);
    await deliver(brand, paid(id, { metadata: { ...metadata, service_customer_key: `user_${id}` } }));
    expect(await customerOf(world, clickId)).toMatchObject({ status: 'conversion', customerKey: `user_${id}` });
    expect(await world.items(`KEY#user_${id}`)).toMatchObject([{ clickId, status: 'conversion' }]);
  });
});

it.each([
  'payment_intent.succeeded',
  'charge.succeeded',
  'customer.subscription.created',
  'invoice.created',
  'invoice.payment_failed',
  'charge.refund.updated',
])('Stripe’s event %s is ignored and stores nothing', async (type) => {
  const { brand, id, metadata } = await visitor(world);
  const before = await allItems(world);
  await deliver(brand, stripeEvent(type, checkoutSession(id, { metadata })));
  expect(await allItems(world)).toEqual(before);
});
