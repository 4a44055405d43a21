import { beforeEach, describe, expect, it } from 'vitest';
import { handler as refund } from '#functions/track/refund.ts';
import { handler as sale } from '#functions/track/sale.ts';
import { type OwnedBrand, ownedBrand } from '#test/support/programs/commissions.ts';
import { expectNothingHalfWritten } from '#test/support/table/invariants.ts';
import { clicked, signedUp, sold } from '#test/support/payments/lives/journeys.ts';
import { commissionOf, paid, saleOf } from '#test/support/payments/payers.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import {
  charge,
  deliver,
  deliverAt,
  directEndpoint,
  dispute,
  openProcessor,
  stripeEvent,
} from '#test/support/stripe/stripe.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// A brand reports a payment by its charge id, and Stripe reports it by its checkout. Nothing links the two sales until
// an event contains both ids.

openProcessor();

const world = openedWorld();
let brand: OwnedBrand;
let id: string;
let key: string;
let people = 0;
beforeEach(async () => {
  brand = await ownedBrand(world);
  await directEndpoint(world, brand);
  id = `dup${++people}x`;
  key = `user_${id}`;
});

const later = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000);
const ofServer = () => `ch_${id}`;
const ofStripe = () => `cs_${id}`;
const refunded = (cents: number) => stripeEvent('charge.refunded', charge(id, { amount_refunded: cents }));
const refundCall = (transactionId: string, cents: number) =>
  send(refund, {
    key: brand.key,
    body: { transaction_id: transactionId, refund_amount_cents: cents },
    at: later(9),
  });
const explained = async (transactionId: string) =>
  (await brand.owner.get(`${brand.path}/sales/${transactionId}`, { at: later(10) })).body.data;
const refundedOf = async (transactionId: string) => (await saleOf(world, transactionId))?.refundedCents;
const statuses = async () =>
  (await brand.owner.get(`${brand.path}/commissions`, { at: later(10) })).body.data
    .map((row: { transaction_id: string; status: string; reversal_reason: string | null; deducted_cents: number }) => [
      row.transaction_id,
      row.status,
      row.reversal_reason,
      row.deducted_cents,
    ])
    .toSorted();
async function bothRecorded(): Promise<void> {
  const clickId = await signedUp(brand, key);
  await sold(brand, { transaction_id: ofServer(), customer_key: key });
  await deliverAt(later(1), brand, paid(id, { metadata: { service_click_id: clickId } }));
  expect(await statuses()).toEqual([
    [ofServer(), 'pending', null, 0],
    [ofStripe(), 'pending', null, 0],
  ]);
}

describe('an event that shows that two recorded sales are one payment', () => {
  it('reverses the later sale as a duplicate and keeps the earlier one', async () => {
    await bothRecorded();
    await deliverAt(later(2), brand, refunded(2450));
    expect(await statuses()).toEqual([
      [ofServer(), 'pending', null, 490],
      [ofStripe(), 'reversed', 'duplicate', 980],
    ]);
    expect((await explained(ofServer())).sale).toMatchObject({ duplicate_of: null, refunded_amount_cents: 2450 });
    const { sale: duplicate, timeline } = await explained(ofStripe());
    expect(duplicate).toMatchObject({
      duplicate_of: ofServer(),
      refunded_amount_cents: 4900,
      payment_status: 'refunded',
    });
    expect(timeline).toContainEqual({
      at: later(2).toISOString(),
      kind: 'refund',
      text: `Reversal of 49.00 USD: sale ${ofServer()} records the same payment, and counts instead`,
    });
    await expectNothingHalfWritten(world);
  });

  it('reverses the sale reported by the brand’s server if it came second', async () => {
    const metadata = { service_click_id: await clicked(brand) };
    await deliver(brand, paid(id, { metadata }));
    await send(sale, {
      key: brand.key,
      body: { transaction_id: ofServer(), amount_cents: 4900, click_id: metadata.service_click_id },
      at: later(1),
    });
    await deliverAt(later(2), brand, refunded(4900));
    expect(await statuses()).toEqual([
      [ofServer(), 'reversed', 'duplicate', 980],
      [ofStripe(), 'reversed', 'refund', 980],
    ]);
  });

  it('has no further effect when it is delivered again, or when another event shows that they are one payment', async () => {
    await bothRecorded();
    const event = refunded(2450);
    await deliverAt(later(2), brand, event);
    await deliverAt(later(3), brand, event);
    await deliverAt(later(4), brand, refunded(2450));
    await deliverAt(later(5), brand, paid(id, { metadata: {} }));
    expect((await world.items(`SALE#${ofStripe()}`)).map(({ sk }) => String(sk).split('#')[0])).toEqual([
      'COMMISSION',
      'REFUND',
      'SALE',
    ]);
    expect([await refundedOf(ofServer()), await refundedOf(ofStripe())]).toEqual([2450, 4900]);
  });

  it('reverses the later sale only once if ten such events arrive in parallel', async () => {
    await bothRecorded();
    await Promise.all(Array.from({ length: 10 }, (_, n) => deliverAt(later(2), brand, refunded(100 * (n + 1)))));
    expect([await refundedOf(ofServer()), await refundedOf(ofStripe())]).toEqual([1000, 4900]);
    const steps = (await world.items(`SALE#${ofStripe()}`)).filter(({ reason }) => reason === 'duplicate');
    expect(steps).toMatchObject([{ amountCents: 4900, deductionCents: 980 }]);
    await expectNothingHalfWritten(world);
  });

  it('reverses the later sale only once if API calls refund both sales in parallel', async () => {
    await bothRecorded();
    await Promise.all([
      deliverAt(later(9), brand, refunded(500)),
      refundCall(ofServer(), 700),
      refundCall(ofStripe(), 900),
    ]);
    expect([await refundedOf(ofServer()), await refundedOf(ofStripe())]).toEqual([900, 4900]);
    await expectNothingHalfWritten(world);
  });
});

describe('a refund of a payment that was recorded as two sales', () => {
  it('is deducted from the remaining sale, even if it came before an event showed that the two sales are one payment', async () => {
    await bothRecorded();
    await refundCall(ofStripe(), 1000);
    await deliverAt(later(9), brand, refunded(500));
    expect([await refundedOf(ofServer()), await refundedOf(ofStripe())]).toEqual([1000, 4900]);
    expect(await commissionOf(world, ofServer())).toMatchObject({ status: 'pending', deductedCents: 200 });
  });

  it('and an open dispute together take the whole remaining sale; after the dispute is won, only the refund is deducted', async () => {
    await bothRecorded();
    const ofIntent = { charge: null };
    await deliverAt(later(2), brand, stripeEvent('charge.dispute.created', dispute(id, ofIntent)));
    expect([await refundedOf(ofServer()), await refundedOf(ofStripe())]).toEqual([0, 4900]);
    await deliverAt(later(3), brand, refunded(500));
    expect([await refundedOf(ofServer()), await refundedOf(ofStripe())]).toEqual([4900, 4900]);
    await deliverAt(later(4), brand, stripeEvent('charge.dispute.closed', dispute(id, { ...ofIntent, status: 'won' })));
    expect([await refundedOf(ofServer()), await refundedOf(ofStripe())]).toEqual([500, 4900]);
    expect(await statuses()).toEqual([
      [ofServer(), 'pending', null, 100],
      [ofStripe(), 'reversed', 'duplicate', 980],
    ]);
  });

  it('is deducted from the sale that remains if the refund comes afterwards, by either transaction id', async () => {
    await bothRecorded();
    await deliverAt(later(2), brand, refunded(500));
    const { status, body } = await refundCall(ofStripe(), 1000);
    const { id: saleId } = (await saleOf(world, ofServer()))!;
    expect([status, body]).toMatchObject([200, { status: 'refunded', sale_id: saleId, refunded_amount_cents: 1000 }]);
    expect([await refundedOf(ofServer()), await refundedOf(ofStripe())]).toEqual([1000, 4900]);
    const again = await send(sale, {
      key: brand.key,
      body: { transaction_id: `pi_${id}`, amount_cents: 4900, customer_key: key },
      at: later(9),
    });
    expect(again.body).toMatchObject({ error: { code: 'duplicate_transaction', details: { sale_id: saleId } } });
    await expectNothingHalfWritten(world);
  });
});
