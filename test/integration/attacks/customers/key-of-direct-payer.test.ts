import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { handler as sale } from '#functions/track/sale.ts';
import { DAY_MS } from '#lib/service/ground/values/day.ts';
import { sha256 } from '#lib/service/ground/addresses/credential.ts';
import { TOO_LATE_FOR_PAYER } from '#lib/service/conversions/payers/unattributed-payer.ts';
import { eraseCustomer } from '#lib/service/operations/erasure/erase-customer.ts';
import { type OwnedBrand, ownedBrand } from '#test/support/programs/commissions.ts';
import { codedError } from '#test/support/servers/errors.ts';
import { expectNothingHalfWritten } from '#test/support/table/invariants.ts';
import { anotherPartner, browserLead, clicked, settledLead, sold } from '#test/support/payments/lives/journeys.ts';
import { paid, saleOf } from '#test/support/payments/payers.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import { deliver, deliverAt, directEndpoint, openProcessor } from '#test/support/stripe/stripe.ts';
import { type Brand, openWorld, type World } from '#test/support/programs/world.ts';

// The brand's server reports the payments of a customer without a partner. In browser_allowed mode, a later claim of
// that customer's key must not be credited with the following payments.

openProcessor();

let world: World;
let brand: OwnedBrand;
let thief: Brand;
let key: string;
let people = 0;
beforeAll(async () => {
  world = await openWorld();
  brand = await ownedBrand(world, { leadAuth: 'browser_allowed' });
  await directEndpoint(world, brand);
  thief = { ...(await anotherPartner(world, brand, 'Thief')), key: brand.key };
});
beforeEach(() => {
  key = `user_s02k${++people}`;
});

const after = (days: number) => new Date(NOW.getTime() + days * DAY_MS);
const sell = (name: string, at: Date, more: object = {}) =>
  send(sale, {
    key: brand.key,
    body: { transaction_id: `${name}_${key}`, amount_cents: 4900, customer_key: key, ...more },
    at,
  });
const UNATTRIBUTED = {
  status: 400,
  body: codedError(400, 'no_attribution', 'Customer not found. Provide customer_key or click_id.'),
};
/** A browser claims the key for a customer of the attacker, or of another partner. */
async function claimed(at: Date, by: Pick<Brand, 'affiliateUrl'> = thief): Promise<string> {
  const clickId = await clicked(by, { at });
  await browserLead({ click_id: clickId, customer_key: key }, { at });
  return clickId;
}
const mark = () => world.items(`PAYER#${brand.program.id}#key:${sha256(key)}`);
const listed = async (at: Date) =>
  (await brand.owner.get(`${brand.path}/processor/payments`, { at })).body.data.filter(
    (row: { transaction_id: string }) => row.transaction_id.endsWith(key),
  );

describe('the customer key of a person who paid before any partner referred them', () => {
  it('is not attributed to a later click, and the owner is notified', async () => {
    expect(await sell('first', NOW)).toMatchObject(UNATTRIBUTED);
    expect(await listed(NOW)).toEqual([]);
    await claimed(after(1));
    expect(await sell('later', after(30))).toMatchObject(UNATTRIBUTED);
    expect(await saleOf(world, `later_${key}`)).toBeUndefined();
    expect(await listed(after(30))).toEqual([
      {
        event_id: null,
        event_type: 'api',
        transaction_id: `later_${key}`,
        amount_cents: 4900,
        currency: 'USD',
        reason: 'click_after_payment',
        detail: TOO_LATE_FOR_PAYER,
        at: after(30).toISOString(),
      },
    ]);
    const retried = await brand.owner.post(`${brand.path}/processor/payments/later_${key}/retry`, undefined, {
      at: after(31),
    });
    expect(retried.body).toEqual({ data: { recorded: false, reason: 'click_after_payment' } });
    expect(await mark()).toEqual([
      { pk: expect.any(String), sk: expect.any(String), firstUnsoldAt: NOW.toISOString() },
    ]);
    await expectNothingHalfWritten(world);
  });

  it('is not attributed to a later click after a first payment through the processor', async () => {
    await deliver(brand, paid(`${key}a`, { customer: null, metadata: { service_customer_key: key } }));
    await claimed(after(1));
    expect(await sell('later', after(30))).toMatchObject(UNATTRIBUTED);
  });

  it('is not attributed to a later click, even if the next payment is reported by the processor instead of the API', async () => {
    await sell('first', NOW);
    await claimed(after(1));
    const payment = paid(`${key}b`, { customer: null, metadata: { service_customer_key: key } });
    await deliverAt(after(30), brand, { ...payment, created: after(30).getTime() / 1000 });
    expect(await saleOf(world, `cs_${key}b`)).toBeUndefined();
  });

  it('is not attributed to a later click, even if that click’s lead came before the earlier payment was reported', async () => {
    await claimed(after(1));
    expect(await sell('first', after(2), { occurred_at: NOW.toISOString() })).toMatchObject({
      body: { attributed: false, reason: 'click_after_payment' },
    });
    expect(await sell('later', after(30))).toMatchObject(UNATTRIBUTED);
  });

  it('is not attributed to a later click after a payment in an unsupported currency', async () => {
    expect(await sell('first', NOW, { currency: 'XAU' })).toMatchObject({ status: 422 });
    await claimed(after(1));
    expect(await sell('later', after(30))).toMatchObject(UNATTRIBUTED);
  });

  it('is stored with the time of the earliest payment, even if payments are reported in another order or in parallel', async () => {
    await Promise.all(Array.from({ length: 8 }, (_, n) => sell(`n${n}`, after(10), { occurred_at: after(n) })));
    await sell('last', after(11));
    expect(await mark()).toMatchObject([{ firstUnsoldAt: NOW.toISOString() }]);
  });

  it('can be attributed to a click again after a customer with the key was erased', async () => {
    await sell('first', NOW);
    await settledLead(brand, { click_id: await clicked(brand), customer_key: key });
    await eraseCustomer(world.deps(), { programId: brand.program.id, customerKey: key }, async () => undefined);
    expect(await mark()).toEqual([]);
  });

  it('is not stored as the key of such a person after a test sale, or after a sale that has a partner', async () => {
    await sell('test', NOW, { additional_data: { test_mode: true } });
    await claimed(NOW, brand);
    expect(await sell('real', NOW)).toMatchObject({ body: { success: true, attributed: true } });
    await sell('real', NOW);
    expect(await mark()).toEqual([]);
  });
});

describe('the customer key of a person who first paid without a partner is attributed to a click made', () => {
  it.each([
    ['before the payment, even if the sign-up comes after it', -1],
    ['within five minutes after the payment, to allow for clock differences', 4 / 24 / 60],
  ])('%s', async (_, days) => {
    await sell('first', NOW);
    const clickId = await clicked(brand, { at: after(days) });
    await browserLead({ click_id: clickId, customer_key: key }, { at: after(1) });
    expect(await sell('later', after(30))).toMatchObject({ body: { success: true, attributed: true } });
    expect(await saleOf(world, `later_${key}`)).toMatchObject({ attribution: { clickId } });
  });

  it('a day after the payment, if the brand’s server sends the click id with a lead or with a sale', async () => {
    await sell('first', NOW);
    const clickId = await claimed(after(1), brand);
    await sold(brand, { transaction_id: `both_${key}`, customer_key: key, click_id: clickId }, { at: after(2) });
    expect(await sell('later', after(30))).toMatchObject({ body: { success: true, attributed: true } });
    key = `${key}l`;
    await sell('first', NOW);
    await settledLead(brand, { click_id: await clicked(brand, { at: after(1) }), customer_key: key }, { at: after(1) });
    expect(await sell('later', after(30))).toMatchObject({ body: { success: true, attributed: true } });
    await expectNothingHalfWritten(world);
  });
});
