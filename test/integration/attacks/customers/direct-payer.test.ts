import { beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS } from '#lib/service/ground/values/day.ts';
import { TOO_LATE_FOR_PAYER } from '#lib/service/conversions/payers/unattributed-payer.ts';
import { eraseCustomer } from '#lib/service/operations/erasure/erase-customer.ts';
import { type OwnedBrand, ownedBrand } from '#test/support/programs/commissions.ts';
import { expectNothingHalfWritten, storedItems } from '#test/support/table/invariants.ts';
import { anotherPartner, browserLead, clicked, settledLead } from '#test/support/payments/lives/journeys.ts';
import { saleOf, subscribed } from '#test/support/payments/payers.ts';
import { NOW } from '#test/support/callers/request.ts';
import {
  checkoutSession,
  connected,
  deliverAt,
  directEndpoint,
  openProcessor,
  RECEIVED,
  sendPlatform,
  stripeEvent,
  subscriptionInvoice,
} from '#test/support/stripe/stripe.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import type { Brand } from '#test/support/programs/world.ts';

// A customer without a partner pays each month. A later click, with a sign-up under that customer's address, must not
// be credited with the following payments.

openProcessor();

const world = openedWorld();
let brand: OwnedBrand;
let thief: Brand;
let id: string;
let email: string;
let key: string;
let people = 0;
beforeEach(async () => {
  brand = await ownedBrand(world, { commissionType: 'recurring_percent' });
  await directEndpoint(world, brand);
  thief = { ...(await anotherPartner(world, brand, 'Thief')), key: brand.key };
  id = `nob${++people}x`;
  email = `victim.${id}@customers.test`;
  key = `user_${id}`;
});

const after = (days: number) => new Date(NOW.getTime() + days * DAY_MS);
const told = () => ({ customer_details: { email }, customer_email: email });
const first = (more: object = {}) => subscribed(id, { ...told(), ...more });
const renewal = (at: Date, more: object = {}) =>
  stripeEvent('invoice.payment_succeeded', subscriptionInvoice(`${id}r`, id, { ...told(), paidAt: at, ...more }), {
    at,
  });
const single = (name: string, at: Date, more: object = {}) =>
  stripeEvent('checkout.session.completed', checkoutSession(name, { ...told(), ...more }), { at });
/** Makes a click of the attacker, who signs up with the victim's address. */
async function stolen(at: Date, of: Brand = thief): Promise<string> {
  const clickId = await clicked(of, { at });
  await settledLead(of, { click_id: clickId, customer_key: `thief_${id}`, email }, { at });
  return clickId;
}
const listed = async (at: Date) => (await brand.owner.get(`${brand.path}/processor/payments`, { at })).body.data;
const row = (transactionId: string) => ({
  transaction_id: transactionId,
  reason: 'click_after_payment',
  detail: TOO_LATE_FOR_PAYER,
});
const marks = async () =>
  (await storedItems(world)).filter(({ pk }) => String(pk).startsWith(`PAYER#${brand.program.id}#`));

describe('a person who pays before any partner referred them', () => {
  it('stays without a partner after a later sign-up with the same e-mail address through a partner’s link', async () => {
    await deliverAt(NOW, brand, first());
    await stolen(after(1));
    await deliverAt(after(30), brand, renewal(after(30)));
    expect(await saleOf(world, `in_${id}r`)).toBeUndefined();
    expect(await listed(after(30))).toMatchObject([row(`in_${id}r`)]);
    expect(JSON.stringify(await marks())).not.toContain(email);
    await expectNothingHalfWritten(world);
  });

  it('stays without a partner when the owner retries the payment and when Stripe delivers the event again', async () => {
    await deliverAt(NOW, brand, first());
    await stolen(after(1));
    const event = renewal(after(30));
    await deliverAt(after(30), brand, event);
    const retried = await brand.owner.post(`${brand.path}/processor/payments/${event.id}/retry`, undefined, {
      at: after(31),
    });
    expect(retried.body).toEqual({ data: { recorded: false, reason: 'click_after_payment' } });
    await deliverAt(after(32), brand, event);
    expect(await listed(after(32))).toMatchObject([row(`in_${id}r`)]);
    expect(await saleOf(world, `in_${id}r`)).toBeUndefined();
  });

  it('stays without a partner even if Stripe reports the first payment after a later one', async () => {
    await stolen(after(1));
    await deliverAt(after(30), brand, single(`${id}b`, after(0.5)));
    await deliverAt(after(31), brand, single(`${id}a`, NOW));
    await deliverAt(after(60), brand, single(`${id}c`, after(60)));
    for (const name of ['a', 'b', 'c']) expect(await saleOf(world, `cs_${id}${name}`)).toBeUndefined();
    expect(await marks()).toContainEqual(
      expect.objectContaining({ pk: `PAYER#${brand.program.id}#cus_${id}a`, firstUnsoldAt: NOW.toISOString() }),
    );
  });

  it('stays without a partner for each new Stripe customer with the same e-mail address', async () => {
    await deliverAt(NOW, brand, single(`${id}a`, NOW));
    await stolen(after(1));
    const event = single(`${id}b`, after(30));
    await deliverAt(after(30), brand, event);
    await brand.owner.post(`${brand.path}/processor/payments/${event.id}/retry`, undefined, { at: after(31) });
    await deliverAt(after(60), brand, single(`${id}c`, after(60), { customer: `cus_${id}b` }));
    for (const name of ['b', 'c']) expect(await saleOf(world, `cs_${id}${name}`)).toBeUndefined();
  });

  it.each([
    ['as a guest', () => ({ customer: null })],
    ['with a customer key', () => ({ customer: null, metadata: { service_customer_key: key } })],
  ])('stays without a partner %s, even if the program accepts leads from browsers', async (_, named) => {
    expect(await brand.owner.patch(brand.path, { lead_auth: 'browser_allowed' })).toMatchObject({ status: 200 });
    await deliverAt(NOW, brand, single(`${id}a`, NOW, named()));
    const clickId = await clicked(thief, { at: after(1) });
    await browserLead({ click_id: clickId, customer_key: key, email }, { at: after(1) });
    await deliverAt(after(30), brand, single(`${id}b`, after(30), named()));
    expect(await saleOf(world, `cs_${id}b`)).toBeUndefined();
    expect(await listed(after(30))).toMatchObject([row(`cs_${id}b`)]);
    expect(JSON.stringify(await marks())).not.toContain(key);
  });

  it('stays without a partner if the same customer key paid before with another e-mail address', async () => {
    const named = { customer: null, metadata: { service_customer_key: key } };
    await deliverAt(NOW, brand, single(`${id}a`, NOW, { ...named, customer_details: { email: `other.${email}` } }));
    await stolen(after(1));
    await deliverAt(after(30), brand, single(`${id}b`, after(30), named));
    expect(await saleOf(world, `cs_${id}b`)).toBeUndefined();
  });

  it('is recorded as a payer without a partner by each program that shares a Stripe account', async () => {
    const other = await ownedBrand(world);
    await connected(world, `acct_${id}`, [brand, other]);
    const send = async (name: string, at: Date) => {
      const event = { ...single(name, at), account: `acct_${id}` };
      expect(await sendPlatform(event, at)).toEqual(RECEIVED);
    };
    await send(`${id}a`, NOW);
    await stolen(after(1));
    await send(`${id}b`, after(30));
    expect(await saleOf(world, `cs_${id}b`)).toBeUndefined();
    expect(await listed(after(30))).toMatchObject([row(`cs_${id}b`)]);
    expect(await world.items(`PAYER#${other.program.id}#cus_${id}a`)).toMatchObject([
      { firstUnsoldAt: NOW.toISOString() },
    ]);
  });

  it('is recorded in one item per identifier, with the earliest time, however many payments arrive in parallel', async () => {
    await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        deliverAt(after(n), brand, single(`${id}${n}`, after(n), { customer: `cus_${id}` })),
      ),
    );
    expect(await marks()).toMatchObject([{ firstUnsoldAt: NOW.toISOString() }, { firstUnsoldAt: NOW.toISOString() }]);
  });

  it('is no longer recorded as a payer once the customer is erased', async () => {
    await deliverAt(NOW, brand, single(`${id}a`, NOW, { customer: null, metadata: { service_customer_key: key } }));
    expect(await marks()).toHaveLength(2);
    await settledLead(brand, { click_id: await clicked(brand), customer_key: key, email });
    await eraseCustomer(world.deps(), { programId: brand.program.id, customerKey: key }, async () => undefined);
    expect(await marks()).toEqual([]);
  });
});

const buyerOf = async (transactionId: string) => (await saleOf(world, transactionId))?.attribution;

describe('after a first payment without a partner, a later payment with the same e-mail address is attributed to a customer', () => {
  it('who signed up before the first payment, even if the amount of that payment was 0 for a trial', async () => {
    const clickId = await stolen(NOW, brand);
    await deliverAt(after(1), brand, first({ amount_total: 0 }));
    await deliverAt(after(30), brand, renewal(after(30)));
    expect(await buyerOf(`in_${id}r`)).toMatchObject({ clickId });
  });

  it('who clicked before the first payment, even if the sign-up was reported after it', async () => {
    const clickId = await clicked(brand, { at: NOW });
    await deliverAt(after(1), brand, first());
    await settledLead(brand, { click_id: clickId, customer_key: key, email }, { at: after(2) });
    await deliverAt(after(30), brand, renewal(after(30)));
    expect(await buyerOf(`in_${id}r`)).toMatchObject({ clickId });
  });

  it.each([
    ['a click', (clickId: string) => ({ metadata: { service_click_id: clickId } })],
    ['a key', () => ({ metadata: { service_customer_key: key } })],
    ['a click in the checkout URL', (clickId: string) => ({ client_reference_id: clickId })],
  ])('who signed up after the first payment, if %s in the later payment belongs to that customer', async (_, named) => {
    await deliverAt(NOW, brand, single(`${id}a`, NOW));
    const clickId = await clicked(brand, { at: after(1) });
    await settledLead(brand, { click_id: clickId, customer_key: key, email }, { at: after(1) });
    await deliverAt(after(2), brand, single(`${id}b`, after(2), { customer: `cus_${id}a`, ...named(clickId) }));
    await deliverAt(after(30), brand, single(`${id}c`, after(30), { customer: `cus_${id}a` }));
    expect(await buyerOf(`cs_${id}b`)).toMatchObject({ clickId });
    expect(await buyerOf(`cs_${id}c`)).toMatchObject({ clickId });
    await expectNothingHalfWritten(world);
  });
});
