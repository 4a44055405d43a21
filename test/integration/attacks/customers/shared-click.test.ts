import { beforeEach, describe, expect, it } from 'vitest';
import { handler as lead } from '#functions/track/lead.ts';
import { handler as sale } from '#functions/track/sale.ts';
import { type OwnedBrand, ownedBrand } from '#test/support/programs/commissions.ts';
import { platformError } from '#test/support/servers/errors.ts';
import { countedHeaders } from '#test/support/callers/headers.ts';
import { allItems, expectNothingHalfWritten } from '#test/support/table/invariants.ts';
import { findUnattributedPayment } from '#lib/service/conversions/waiting/unattributed-payments-items.ts';
import { anotherPartner, clicked, settledLead, sold } from '#test/support/payments/lives/journeys.ts';
import {
  commissionOf,
  customerOf,
  invoiced,
  paid,
  renewed,
  saleOf,
  subscribed,
} from '#test/support/payments/payers.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import {
  deliver,
  deliverAt,
  directEndpoint,
  openProcessor,
  stripeEvent,
  checkoutSession,
} from '#test/support/stripe/stripe.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// A partner hands one click id to any number of buyers.

openProcessor();

const DAY_MS = 86_400_000;
const EIGHT = [1, 2, 3, 4, 5, 6, 7, 8];

const world = openedWorld();

let own: OwnedBrand;
let clickId: string;
let people = 0;
let id: string;
beforeEach(async () => {
  own = await ownedBrand(world);
  await directEndpoint(world, own);
  clickId = await clicked(own);
  id = `s9p${++people}x`;
});

const MINUTE_MS = 60_000;
const before = (ms: number) => new Date(NOW.getTime() - ms).toISOString();
const metadata = () => ({ service_click_id: clickId });
const sell = (body: object, at?: Date) =>
  send(sale, { key: own.key, body: { transaction_id: `api_${id}`, amount_cents: 4900, ...body }, at });
const clickOf = async (transactionId: string) =>
  ((await saleOf(world, transactionId))?.attribution as { clickId?: string } | undefined)?.clickId;
async function verdictOf(transactionId: string): Promise<string> {
  const { status, flags = [] } = (await commissionOf(world, transactionId)) as {
    status: string;
    flags?: { rule: string }[];
  };
  return [status, ...flags.map(({ rule }) => rule)].join(' ');
}
const asExpected = [
  'pending',
  ...Array.from({ length: 4 }, () => 'pending shared_click'),
  ...Array.from({ length: 3 }, () => 'held shared_click'),
];

describe('eight buyers with one click id', () => {
  it('become eight customers with one Stripe customer id each: flagged from the second on, held from the sixth on', async () => {
    for (const n of EIGHT) await deliver(own, paid(`${id}${n}`, { metadata: metadata() }));
    const transactions = EIGHT.map((n) => `cs_${id}${n}`);
    const found = await Promise.all(transactions.map(clickOf));
    expect(found[0]).toBe(clickId);
    expect(new Set(found).size).toBe(8);
    expect(await Promise.all(transactions.map(verdictOf))).toEqual(asExpected);
    expect(await customerOf(world, clickId)).toMatchObject({ people: 8 });
    const { firstClickAt, partnerId, shortLink } = (await customerOf(world, clickId))!;
    expect(await customerOf(world, found[3]!)).toMatchObject({
      source: 'shared_click',
      sharedClick: { clickId, place: 4 },
      firstClickAt,
      partnerId,
      shortLink,
      status: 'conversion',
      visit: {},
    });
    await expectNothingHalfWritten(world);
  });

  it('become eight customers with one customer key each', async () => {
    for (const n of EIGHT)
      await sold(own, { transaction_id: `api_${id}${n}`, click_id: clickId, customer_key: `${id}${n}` });
    const transactions = EIGHT.map((n) => `api_${id}${n}`);
    expect(new Set(await Promise.all(transactions.map(clickOf))).size).toBe(8);
    expect(await Promise.all(transactions.map(verdictOf))).toEqual(asExpected);
    for (const n of EIGHT)
      expect(await world.items(`KEY#${id}${n}`)).toMatchObject([{ clickId: await clickOf(`api_${id}${n}`) }]);
    await expectNothingHalfWritten(world);
  });

  it('are numbered without gaps if they pay in parallel', async () => {
    const buying = EIGHT.map((n) => deliver(own, paid(`${id}${n}`, { metadata: metadata() })));
    await Promise.all(buying);
    const verdicts = await Promise.all(EIGHT.map((n) => verdictOf(`cs_${id}${n}`)));
    expect(verdicts.toSorted()).toEqual(asExpected.toSorted());
    expect(await customerOf(world, clickId)).toMatchObject({ people: 8 });
    await expectNothingHalfWritten(world);
  });

  it('become eight customers even after an anonymous lead with the click', async () => {
    await send(lead, { body: { click_id: clickId } });
    for (const n of EIGHT)
      await sold(own, { transaction_id: `api_${id}${n}`, click_id: clickId, customer_key: `${id}${n}` });
    expect(new Set(await Promise.all(EIGHT.map((n) => clickOf(`api_${id}${n}`)))).size).toBe(8);
  });

  it('are found again as the same customer when they buy again', async () => {
    await deliver(own, subscribed(`${id}a`, { metadata: metadata() }));
    await deliver(own, subscribed(id, { metadata: metadata() }), invoiced(id, { metadata: metadata() }), renewed(id));
    const second = await clickOf(`in_${id}`);
    expect(second).not.toBe(clickId);
    expect(await clickOf(`in_${id}r`)).toBe(second);
    expect(await customerOf(world, clickId)).toMatchObject({ people: 2 });
    expect(await verdictOf(`in_${id}`)).toBe('pending shared_click');
  });

  it('have their commissions held for review as soon as they are more than the program’s setting allows per click', async () => {
    expect(await own.owner.patch(own.path, { shared_click_payers: 1 })).toMatchObject({
      status: 200,
      body: { data: { shared_click_payers: 1 } },
    });
    for (const n of [1, 2]) await deliver(own, paid(`${id}${n}`, { metadata: metadata() }));
    expect(await Promise.all([1, 2].map((n) => verdictOf(`cs_${id}${n}`)))).toEqual(['pending', 'held shared_click']);
  });

  it.each([0, 1001, 1.5, '5', true])(
    'are limited by shared_click_payers, for which the value %j is refused with 400',
    async (wrong) => {
      const text = 'shared_click_payers must be an integer from 1 to 1000';
      const reply = await own.owner.patch(own.path, { shared_click_payers: wrong });
      expect(reply).toMatchObject({ status: 400, body: platformError(400, text) });
    },
  );
});

const guest = (n: number | string, more: object = {}) =>
  paid(`${id}${n}`, {
    customer: null,
    customer_details: { email: `${n}.${id}@guests.test` },
    metadata: metadata(),
    ...more,
  });
const intent = (n: number) =>
  stripeEvent('payment_intent.succeeded', {
    id: `pi_${id}${n}`,
    object: 'payment_intent',
    amount_received: 4900,
    currency: 'usd',
    customer: null,
    receipt_email: `${n}.${id}@guests.test`,
    metadata: metadata(),
  });

describe('eight guest payments (without a Stripe customer) with one click id', () => {
  it.each([
    ['the metadata', () => ({})],
    ['the checkout URL', () => ({ metadata: {}, client_reference_id: clickId })],
  ])(
    'become eight customers if the click is in %s: flagged from the second on, held from the sixth on',
    async (_, named) => {
      for (const n of EIGHT) await deliver(own, guest(n, named()));
      const sales = EIGHT.map((n) => `cs_${id}${n}`);
      const found = await Promise.all(sales.map(clickOf));
      expect(found[0]).toBe(clickId);
      expect(new Set(found).size).toBe(8);
      expect(await Promise.all(sales.map(verdictOf))).toEqual(asExpected);
      expect(await customerOf(world, clickId)).toMatchObject({ people: 8 });
      expect(JSON.stringify(await allItems(world))).not.toContain('@guests.test');
      await expectNothingHalfWritten(world);
    },
  );

  it('become eight customers, even if Stripe reports payment intents instead of checkouts', async () => {
    for (const n of EIGHT) await deliver(own, intent(n));
    expect(await Promise.all(EIGHT.map((n) => verdictOf(`pi_${id}${n}`)))).toEqual(asExpected);
  });

  it('become eight customers, numbered without gaps, if they arrive in parallel', async () => {
    await Promise.all(EIGHT.map((n) => deliver(own, guest(n))));
    const verdicts = await Promise.all(EIGHT.map((n) => verdictOf(`cs_${id}${n}`)));
    expect(verdicts.toSorted()).toEqual(asExpected.toSorted());
    expect(await customerOf(world, clickId)).toMatchObject({ people: 8 });
    await expectNothingHalfWritten(world);
  });

  it('belong to the same customer again if the same guest pays again, also in parallel', async () => {
    const of = (n: number | string) => ({ customer_details: { email: `${n}.${id}@guests.test` } });
    await deliver(own, guest(1));
    await Promise.all(['a', 'b', 'c'].map((name) => deliver(own, guest(name, of(2)))));
    await deliver(own, guest('d', of(1)), guest('e', of(2)));
    const second = await clickOf(`cs_${id}a`);
    expect(second).not.toBe(clickId);
    for (const name of ['b', 'c', 'e']) expect(await clickOf(`cs_${id}${name}`)).toBe(second);
    expect(await clickOf(`cs_${id}d`)).toBe(clickId);
    expect(await customerOf(world, clickId)).toMatchObject({ people: 2 });
    const { body } = await own.owner.get(`${own.path}/sales/cs_${id}e`);
    expect(body.data.attribution).toMatchObject({ resolved_by: 'click_id', identifier: clickId });
    await expectNothingHalfWritten(world);
  });

  it('leave a guest’s later payment without the click unattributed; one with another click is attributed to that click', async () => {
    await deliver(own, guest(1), guest(2));
    const later = { customer_details: { email: `2.${id}@guests.test` } };
    const other = await clicked(own);
    await deliver(
      own,
      guest('a', { ...later, metadata: {} }),
      guest('b', { ...later, metadata: { service_click_id: other } }),
    );
    expect(await saleOf(world, `cs_${id}a`)).toBeUndefined();
    expect(await clickOf(`cs_${id}b`)).toBe(other);
  });

  it('belong to the customer of the click’s lead if they have the lead’s e-mail address or none', async () => {
    await settledLead(own, { click_id: clickId, email: `lead.${id}@guests.test` });
    await deliver(own, guest(1), guest('lead'), guest('none', { customer_details: { email: null } }));
    for (const name of [1, 'lead', 'none']) expect(await clickOf(`cs_${id}${name}`)).toBe(clickId);
  });

  it('become separate customers from that of an earlier payment with a Stripe customer id', async () => {
    await deliver(own, paid(`${id}1`, { metadata: metadata() }), guest(2));
    expect(await clickOf(`cs_${id}2`)).not.toBe(clickId);
    expect(await verdictOf(`cs_${id}2`)).toBe('pending shared_click');
  });

  it('by new guests stay without a partner 400 days later, outside the attribution window, also when an owner retries them', async () => {
    const at = new Date(NOW.getTime() + 400 * DAY_MS);
    await deliver(own, guest(1));
    const session = (n: number) =>
      checkoutSession(`${id}${n}l`, {
        customer: null,
        customer_details: { email: `${n}.${id}@guests.test` },
        metadata: metadata(),
      });
    const events = [1, 2].map((n) => stripeEvent('checkout.session.completed', session(n), { at }));
    for (const event of events) await deliverAt(at, own, event);
    expect(await clickOf(`cs_${id}1l`)).toBe(clickId);
    expect(await saleOf(world, `cs_${id}2l`)).toBeUndefined();
    const retried = await own.owner.post(`${own.path}/processor/payments/${events[1]!.id}/retry`);
    expect(retried.body).toMatchObject({ data: { recorded: false, reason: 'attribution_window_expired' } });
    expect(await customerOf(world, clickId)).not.toHaveProperty('people');
  });
});

describe('the explanation of a sale of a second person with the same click', () => {
  it('says that another person paid with the click, without personal data', async () => {
    await deliver(own, paid(`${id}1`, { metadata: metadata() }), paid(id, { metadata: metadata() }));
    const { body } = await own.owner.get(`${own.path}/sales/cs_${id}`);
    expect(body.data.attribution).toMatchObject({ resolved_by: 'click_id', identifier: clickId });
    expect(body.data.attribution.text).toContain(
      `The click belongs to customer ${clickId}, but another person paid with it: the 2nd to do so.`,
    );
    expect(body.data.customer).toMatchObject({ source: 'shared_click' });
    expect(body.data.commission.flags).toEqual([
      {
        rule: 'shared_click',
        at: NOW.toISOString(),
        evidence: 'The customer is the 2nd person who paid with this click id',
      },
    ]);
  });
});

describe('the attribution window of a click that was made 400 days ago', () => {
  const at = new Date(NOW.getTime() + 400 * DAY_MS);

  it('has ended for the payment of a second Stripe customer with the click', async () => {
    await deliver(own, paid(`${id}1`, { metadata: metadata() }));
    const event = stripeEvent('checkout.session.completed', checkoutSession(id, { metadata: metadata() }), { at });
    await deliverAt(at, own, event);
    expect(await saleOf(world, `cs_${id}`)).toBeUndefined();
    expect(await customerOf(world, clickId)).not.toHaveProperty('people');
    const unsold = await findUnattributedPayment(world.deps().table, own.program.id, event.id);
    expect(unsold).toMatchObject({ transactionId: `cs_${id}`, reason: 'attribution_window_expired' });
  });

  it('has ended for a sale with the click and a new customer key, but not for the customer who already bought with the click', async () => {
    await sold(own, { transaction_id: `api_${id}1`, click_id: clickId, customer_key: `${id}1` });
    expect((await sell({ click_id: clickId, customer_key: `${id}2` }, at)).body).toEqual({
      success: true,
      sale_id: null,
      commission_id: null,
      attributed: false,
      reason: 'attribution_window_expired',
      click_age_days: 400,
      window_days: 60,
      message: 'Sale not attributed: outside the attribution window',
    });
    expect((await sell({ click_id: clickId, customer_key: `${id}1` }, at)).body).toMatchObject({ attributed: true });
  });
});

describe('two people who share a browser', () => {
  it('share one click: the lead of the second person is refused, and that person’s payment creates a second customer', async () => {
    await settledLead(own, { click_id: clickId, customer_key: `${id}1` });
    const body = { click_id: clickId, customer_key: `${id}2` };
    const refused = platformError(400, 'Customer status cannot be updated to lead. Current status: lead');
    expect(await send(lead, { key: own.key, body })).toMatchObject({ status: 400, body: refused });
    await sold(own, { transaction_id: `api_${id}2`, ...body });
    await sold(own, { transaction_id: `api_${id}1`, customer_key: `${id}1` });
    expect(await clickOf(`api_${id}1`)).toBe(clickId);
    expect(await clickOf(`api_${id}2`)).not.toBe(clickId);
    await sold(own, { transaction_id: `api_${id}2b`, customer_key: `${id}2` });
    expect(await clickOf(`api_${id}2b`)).toBe(await clickOf(`api_${id}2`));
  });

  it('are distinguished by e-mail address, even if the payments of both contain the click of one of them', async () => {
    const other = await anotherPartner(world, own, 'Ben');
    const theirs = await clicked(other);
    await settledLead(own, { click_id: theirs, email: `${id}@customers.test` });
    await deliver(own, paid(`${id}1`, { metadata: metadata() }));
    await deliver(own, paid(id, { metadata: metadata(), customer_details: { email: `${id}@customers.test` } }));
    expect(await clickOf(`cs_${id}`)).toBe(theirs);
  });
});

describe('a payment that was made before its click', () => {
  const refused = {
    success: true,
    sale_id: null,
    commission_id: null,
    attributed: false,
    reason: 'click_after_payment',
    message: 'Sale not attributed: the click came after the payment',
  };

  it('is not attributed by the sale endpoint, and its transaction id can be used again', async () => {
    const sent = { click_id: clickId, customer_key: id, occurred_at: before(5 * MINUTE_MS + 1) };
    expect(await sell(sent)).toEqual({ status: 200, headers: countedHeaders(120, 1), body: refused });
    expect(await world.items(`SALE#api_${id}`)).toEqual([]);
    expect(await customerOf(world, clickId)).toMatchObject({ status: 'click' });
    expect((await sell({ ...sent, occurred_at: before(5 * MINUTE_MS) })).body).toMatchObject({ attributed: true });
    // A conversion is recorded now, so the window is not checked any more.
    expect((await sell({ ...sent, transaction_id: `old_${id}`, occurred_at: before(DAY_MS) })).body).toMatchObject({
      attributed: true,
    });
  });

  it('is not attributed even if a sign-up with the click was reported first', async () => {
    await settledLead(own, { click_id: clickId, customer_key: id });
    expect((await sell({ customer_key: id, occurred_at: before(DAY_MS) })).body).toEqual(refused);
  });

  it('is listed as unattributed if the processor reports it', async () => {
    const at = new Date(NOW.getTime() - DAY_MS);
    const event = stripeEvent('checkout.session.completed', checkoutSession(id, { metadata: metadata() }), { at });
    await deliver(own, event);
    expect(await saleOf(world, `cs_${id}`)).toBeUndefined();
    const { body } = await own.owner.get(`${own.path}/processor/payments`);
    expect(body.data).toMatchObject([{ transaction_id: `cs_${id}`, reason: 'click_after_payment' }]);
    const retried = await own.owner.post(`${own.path}/processor/payments/${event.id}/retry`);
    expect(retried.body.data).toEqual({ recorded: false, reason: 'click_after_payment' });
  });
});
