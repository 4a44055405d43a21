import { describe, expect, it } from 'vitest';
import { allItems, expectNothingHalfWritten } from '#test/support/table/invariants.ts';
import {
  browserLead,
  changeProgram,
  clicked,
  removePartner,
  settledLead,
  sold,
  unlinkPartner,
} from '#test/support/payments/lives/journeys.ts';
import { commissionOf, customerOf, invoiced, paid, renewed, saleOf, visitor } from '#test/support/payments/payers.ts';
import { NOW } from '#test/support/callers/request.ts';
import {
  charge,
  checkoutSession,
  deliver,
  deliverAt,
  openProcessor,
  stripeEvent,
} from '#test/support/stripe/stripe.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// Tests why a payment of a known customer becomes no sale, or a different one.

openProcessor();

const world = openedWorld();

const DAY_MS = 86_400_000;
const daysLater = (days: number) => new Date(NOW.getTime() + days * DAY_MS);

const paidAt = (at: Date, id: string, more: object) =>
  stripeEvent('checkout.session.completed', checkoutSession(id, { ...more }), { at });

describe('the attribution window of a Stripe payment', () => {
  it('includes a payment exactly at the end of the window', async () => {
    const { brand, id, metadata } = await visitor(world);
    const at = daysLater(60);
    await deliverAt(at, brand, paidAt(at, id, { metadata }));
    expect(await saleOf(world, `cs_${id}`)).toMatchObject({
      attribution: { window: { comparedWith: 'payment', ageMs: 60 * DAY_MS, within: true } },
    });
  });

  it('excludes a payment one second after its end, which is recorded if the event is delivered again after the window grew', async () => {
    const { brand, id, metadata } = await visitor(world);
    const at = new Date(daysLater(60).getTime() + 1000);
    const event = paidAt(at, id, { metadata });
    const before = await allItems(world);
    await deliverAt(at, brand, event);
    expect(await allItems(world)).toEqual(before);

    await changeProgram(world, brand, { attributionWindowDays: 61 });
    await deliverAt(at, brand, event);
    expect(await saleOf(world, `cs_${id}`)).toMatchObject({ attribution: { window: { windowDays: 61 } } });
  });

  it('is compared with the time of the lead that the payment settles, not with the time of the payment', async () => {
    const { brand, clickId, id, metadata } = await visitor(world);
    await browserLead({ click_id: clickId }, { at: daysLater(60) });
    await deliverAt(daysLater(300), brand, paidAt(daysLater(300), id, { metadata }));
    expect(await saleOf(world, `cs_${id}`)).toMatchObject({
      attribution: { window: { comparedWith: 'signup', comparedAt: daysLater(60).toISOString(), within: true } },
    });
  });

  it('excludes a payment whose lead came after its end; the payment still settles the lead, and a second delivery changes nothing', async () => {
    const { brand, clickId, id, metadata } = await visitor(world);
    await browserLead({ click_id: clickId }, { at: new Date(daysLater(60).getTime() + 1) });
    const event = paidAt(daysLater(61), id, { metadata });
    await deliverAt(daysLater(61), brand, event);
    const settled = await customerOf(world, clickId);
    expect(settled).toMatchObject({ status: 'lead', leadState: 'settled' });
    await deliverAt(daysLater(62), brand, event);
    expect(await customerOf(world, clickId)).toEqual(settled);
    expect(await saleOf(world, `cs_${id}`)).toBeUndefined();
  });

  it('is not checked after the customer’s first payment: later payments have no age limit', async () => {
    const { brand, id, metadata } = await visitor(world);
    await deliver(brand, paid(id, { metadata }));
    await deliverAt(daysLater(900), brand, renewed(id, { metadata, paidAt: daysLater(800) }));
    expect(await saleOf(world, `in_${id}r`)).toMatchObject({ occurredAt: daysLater(800).toISOString() });
    expect(await saleOf(world, `in_${id}r`)).not.toHaveProperty('attribution.window');
  });
});

describe('the partner of a Stripe payment’s customer', () => {
  it('earns nothing from a payment while removed from the program, and earns again when active again', async () => {
    const { brand, id, metadata } = await visitor(world);
    await removePartner(world, brand);
    const before = await allItems(world);
    await deliver(brand, paid(id, { metadata }));
    expect(await allItems(world)).toEqual(before);
    await changeProgram(world, brand, { removedPartnerIds: [] });
    await deliver(brand, paid(id, { metadata }));
    expect(await saleOf(world, `cs_${id}`)).toMatchObject({ commissionState: 'created' });
  });

  it('earns nothing once an owner has unlinked the customer, and no sale is stored', async () => {
    const { brand, clickId, id, metadata } = await visitor(world);
    await unlinkPartner(world, brand, clickId);
    const before = await allItems(world);
    await deliver(brand, paid(id, { metadata }));
    expect(await allItems(world)).toEqual(before);
  });
});

describe('a Stripe payment whose transaction id another sale already has', () => {
  it('does not replace the API’s sale, and Stripe’s refund is deducted from that sale', async () => {
    const { brand, clickId, id, metadata } = await visitor(world);
    const { sale_id } = await sold(brand, { transaction_id: `cs_${id}`, click_id: clickId });
    await deliver(brand, paid(id, { metadata }), stripeEvent('charge.refunded', charge(id, { amount_refunded: 4900 })));
    expect(await saleOf(world, `cs_${id}`)).toMatchObject({ id: sale_id, source: 'api', refundedCents: 4900 });
    expect(await commissionOf(world, `cs_${id}`)).toMatchObject({ status: 'reversed', deductedCents: 980 });
    expect(await world.items(`SALE#cs_${id}`)).toHaveLength(3);
  });

  it('still settles the lead if the API reported the sale and Stripe reports the first invoice', async () => {
    const { brand, clickId, id, metadata } = await visitor(world);
    await browserLead({ click_id: clickId, customer_key: `user_${id}` });
    await sold(brand, { transaction_id: `in_${id}`, click_id: clickId });
    await deliver(brand, invoiced(id, { metadata: { ...metadata, service_customer_key: `user_${id}` } }));
    expect(await customerOf(world, clickId)).toMatchObject({ leadState: 'settled', customerKey: `user_${id}` });
    await expectNothingHalfWritten(world);
  });

  it('does not change the sale if that sale belongs to another program', async () => {
    const [ours, theirs] = [await visitor(world), await visitor(world)];
    await deliver(theirs.brand, paid(ours.id, { metadata: theirs.metadata }));
    const before = await allItems(world);
    await deliver(ours.brand, paid(ours.id, { metadata: ours.metadata }));
    expect(await allItems(world)).toEqual(before);
  });
});

describe('a Stripe payment with a test card', () => {
  const isTest = { livemode: false } as const;

  it('becomes a test sale, which changes no customer, earns nothing and is not proof that the program key works', async () => {
    const { brand, clickId, id, metadata } = await visitor(world);
    await browserLead({ click_id: clickId, customer_key: `user_${id}` });
    const customer = await world.items(`CUSTOMER#${clickId}`);
    const told = { ...metadata, service_customer_key: `user_${id}` };
    await deliver(brand, stripeEvent('checkout.session.completed', checkoutSession(id, { metadata: told }), isTest));
    const [sale, ...others] = await world.items(`SALE#cs_${id}`);
    expect(others).toEqual([]);
    expect(sale).toMatchObject({
      isTest: true,
      livemode: false,
      source: 'processor',
      commissionState: 'test',
      claimed: { clickId, customerKey: `user_${id}` },
      gsi1pk: `PROGRAM#${brand.program.id}#TEST_EVENTS#sale`,
    });
    expect(sale).not.toHaveProperty('keyed');
    expect(sale).not.toHaveProperty('attribution');
    expect(await world.items(`CUSTOMER#${clickId}`)).toEqual(customer);
    expect(await world.items(`PAYER#${brand.program.id}#cus_${id}`)).toEqual([]);
  });

  it('becomes a test sale also if no partner matches, and its refunds are stored', async () => {
    const { brand, id } = await visitor(world);
    await deliver(
      brand,
      stripeEvent('charge.refunded', charge(id, { amount_refunded: 100 }), isTest),
      stripeEvent('checkout.session.completed', checkoutSession(id), isTest),
      stripeEvent('charge.refunded', charge(id, { amount_refunded: 300 }), isTest),
    );
    expect(await world.items(`SALE#cs_${id}`)).toMatchObject([
      { sk: expect.stringMatching('REFUND'), isTest: true, amountCents: 100, deductionCents: 0 },
      { sk: expect.stringMatching('REFUND'), isTest: true, amountCents: 200 },
      { sk: 'SALE', isTest: true, refundedCents: 300 },
    ]);
  });

  it('becomes a test sale also for a removed partner, but is not stored in an unsupported currency', async () => {
    const { brand, id, metadata } = await visitor(world);
    await removePartner(world, brand);
    await deliver(brand, stripeEvent('checkout.session.completed', checkoutSession(id, { metadata }), isTest));
    expect(await saleOf(world, `cs_${id}`)).toMatchObject({ isTest: true });
    const before = await allItems(world);
    const pounds = checkoutSession(`${id}b`, { metadata, currency: 'gbp' });
    await deliver(brand, stripeEvent('checkout.session.completed', pounds, isTest));
    expect(await allItems(world)).toEqual(before);
  });
});

describe('a customer key in a payment’s metadata that another customer already has', () => {
  it('is not given to the payment’s customer, and the payment is recorded', async () => {
    const { brand, clickId, id, metadata } = await visitor(world);
    await settledLead(brand, { click_id: await clicked(brand), customer_key: `user_${id}` });
    await deliver(brand, paid(id, { metadata: { ...metadata, service_customer_key: `user_${id}` } }));
    expect(await saleOf(world, `cs_${id}`)).toMatchObject({ attribution: { clickId } });
    expect(await customerOf(world, clickId)).not.toHaveProperty('customerKey');
  });
});

describe('a Stripe payment whose commission cannot be computed', () => {
  it('is stored as a sale that the operator’s repair finds, and Stripe gets 200, because a second delivery would not help', async () => {
    const { brand, id, metadata } = await visitor(world);
    await changeProgram(world, brand, { commissionRate: 0 });
    const event = paid(id, { metadata });
    await deliver(brand, event, event);
    expect(await world.items(`SALE#cs_${id}`)).toMatchObject([{ sk: 'SALE', commissionState: 'failed' }]);
    expect(await world.items('SALES_TO_REPAIR')).toMatchObject([{ transactionId: `cs_${id}` }]);
  });
});
