import { beforeAll, beforeEach, expect, it } from 'vitest';
import { handler as sale } from '#functions/track/sale.ts';
import { handler as forward } from '#functions/track/stripe.ts';
import { sha256 } from '#lib/service/ground/addresses/credential.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { dashboard } from '#test/support/callers/dashboard.ts';
import { codedError } from '#test/support/servers/errors.ts';
import { failing, refused } from '#test/support/table/faults.ts';
import { clicked, removePartner, soldTo } from '#test/support/payments/lives/journeys.ts';
import { paid, type Visitor, visitor, visitorOf } from '#test/support/payments/payers.ts';
import { ownerOfBrand } from '#test/support/programs/people.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import {
  charge,
  deliver,
  deliverAt,
  directBrand,
  openProcessor,
  sendDirect,
  stripeEvent,
} from '#test/support/stripe/stripe.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

openProcessor();

const world = openedWorld();
let person: Visitor;
let owner: ReturnType<typeof dashboard>;
let path: string;
beforeAll(async () => {});
beforeEach(async () => {
  person = await visitor(world);
  owner = dashboard((await ownerOfBrand(world, person.brand)).token);
  path = `/programs/${person.brand.program.id}/processor`;
});

const listed = async () => (await owner.get(`${path}/payments`)).body;
const at = NOW.toISOString();
const unknownPayment = (clickId: string) => paid(`${person.id}${clickId}`, { metadata: { service_click_id: clickId } });
const rowOf = ({ id, type }: { id: string; type: string }, more: object) => ({
  event_id: id,
  event_type: type,
  transaction_id: `cs_${person.id}`,
  amount_cents: 4900,
  currency: 'USD',
  detail: null,
  at,
  ...more,
});

it.each([
  [
    'unsupported_currency',
    async () => paid(person.id, { metadata: person.metadata, currency: 'gbp' }),
    { currency: 'GBP', detail: 'currency GBP is not supported' },
  ],
  ['unknown_click', async () => paid(person.id, { metadata: { service_click_id: 'clk_nobody' } }), {}],
  [
    'no_partner_relation',
    async () => {
      await removePartner(world, person.brand);
      return paid(person.id, { metadata: person.metadata });
    },
    {},
  ],
  [
    'id_used_elsewhere',
    async () => {
      const other = await visitor(world);
      await deliver(other.brand, paid(person.id, { metadata: other.metadata }));
      return paid(person.id, { metadata: person.metadata });
    },
    {},
  ],
] as const)(
  'a payment that could not be recorded is listed once, for any number of deliveries: %s',
  async (reason, eventOf, more) => {
    const event = await eventOf();
    await deliver(person.brand, event, event);
    expect(await listed()).toEqual({ data: [rowOf(event, { reason, ...more })], meta: { next_cursor: null } });
  },
);

it('an unrecorded payment that Stripe delivers again keeps its place in the list', async () => {
  const [first, second] = [unknownPayment('clk_nobody'), unknownPayment('clk_no_one')];
  await deliver(person.brand, first);
  await deliverAt(new Date(NOW.getTime() + 60_000), person.brand, second);
  await deliverAt(new Date(NOW.getTime() + 120_000), person.brand, first);
  const { data } = await listed();
  expect(data.map(({ event_id: id, at: cameAt }: Record<string, string>) => [id, cameAt])).toEqual([
    [second.id, new Date(NOW.getTime() + 60_000).toISOString()],
    [first.id, at],
  ]);
  const [entry] = await world.items(keys.unattributedPayment(person.brand.program.id, sha256(first.id)).pk);
  expect(entry).toMatchObject({ at, gsi1sk: `${at}#${sha256(first.id)}` });
});

it('payments outside the attribution window are listed as unrecorded, the newest first', async () => {
  const first = paid(person.id, { metadata: { service_click_id: 'clk_nobody' } });
  await deliver(person.brand, first);
  const later = new Date(NOW.getTime() + 80 * 86_400_000);
  const object = paid(`${person.id}late`, { metadata: person.metadata }).data.object;
  const second = stripeEvent('checkout.session.completed', object, { at: later });
  await deliverAt(later, person.brand, second);
  expect((await listed()).data.map(({ reason }: { reason: string }) => reason)).toEqual([
    'attribution_window_expired',
    'unknown_click',
  ]);
  const { data, meta } = (await owner.get(`${path}/payments?limit=1`)).body;
  expect(data).toHaveLength(1);
  const next = await owner.get(`${path}/payments?limit=1&cursor=${meta.next_cursor}`);
  expect(next.body.data).toEqual([rowOf(first, { reason: 'unknown_click' })]);
});

it('a payment leaves the list of unrecorded payments when it is recorded', async () => {
  const clickId = await clicked(person.brand);
  const event = paid(person.id, { metadata: { service_click_id: clickId }, currency: 'gbp' });
  await deliver(person.brand, event, paid(person.id, { metadata: { service_click_id: clickId } }));
  expect((await listed()).data).toEqual([]);
});

it('payments that name no customer and payments with test cards are not listed as unrecorded', async () => {
  const { brand, id, metadata } = person;
  const test = stripeEvent('checkout.session.completed', paid(id, { metadata, currency: 'gbp' }).data.object, {
    livemode: false,
  });
  await deliver(brand, paid(`${id}a`), paid(`${id}b`, { currency: 'gbp' }), test);
  await deliver(brand, paid(`${id}c`, { metadata: { service_customer_key: 'nobody' } }));
  expect((await listed()).data).toEqual([]);
});

it('a sale whose id another program has used is listed, and its request gets the same reply each time', async () => {
  const other = await directBrand(world);
  const { sale_id: saleId } = await soldTo(other, 'taken', { transaction_id: `order ${person.id}` });
  const body = { transaction_id: `order ${person.id}`, amount_cents: 900, currency: 'eur', click_id: person.clickId };
  const taken = codedError(
    409,
    'duplicate_transaction',
    'Duplicate transaction_id. This sale has already been recorded.',
    {
      sale_id: saleId,
      own: false,
    },
  );
  for (let time = 1; time <= 2; time++) {
    expect(await send(sale, { key: person.brand.key, body })).toMatchObject({ status: 409, body: taken });
  }
  const row = {
    event_id: null,
    event_type: 'api',
    transaction_id: body.transaction_id,
    amount_cents: 900,
    detail: null,
  };
  expect((await listed()).data).toEqual([{ ...row, currency: 'EUR', reason: 'id_used_elsewhere', at }]);
});

const told = async () => {
  const { last_delivery, last_bad_signature_at } = (await owner.get(path)).body.data;
  return [last_delivery, last_bad_signature_at];
};

const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);

it('the connection status shows the last Stripe event at once, and stores the time of an invalid signature at most once a minute', async () => {
  const { brand } = person;
  expect(await told()).toEqual([null, null]);
  const type = 'checkout.session.completed';
  const via = 'webhook';
  const first = paid(person.id, { metadata: person.metadata });
  await deliver(brand, first);
  expect(await told()).toEqual([{ at, type, outcome: 'processed', via }, null]);
  await deliver(brand, first);
  expect(await told()).toEqual([{ at, type, outcome: 'repeated', via }, null]);
  await deliverAt(later(1), brand, stripeEvent('customer.created', {}));
  for (const seconds of [1, 59, 61, 62]) {
    await sendDirect(brand.program.id, paid(person.id), { secret: 'whsec_wrong', at: later(seconds) });
  }
  const last = { at: later(1).toISOString(), type: 'customer.created', outcome: 'other_type', via };
  expect(await told()).toEqual([last, later(61).toISOString()]);
  // An event with an earlier time is delivered later.
  await deliverAt(NOW, brand, stripeEvent('charge.refunded', charge(person.id)));
  expect(await told()).toEqual([last, later(61).toISOString()]);
});

it('the connection status shows an event that the brand forwarded like an event that Stripe sent', async () => {
  const { brand } = person;
  await deliver(brand, paid(person.id, { metadata: person.metadata }));
  await send(forward, { key: brand.key, body: stripeEvent('charge.refunded', charge(person.id)) });
  expect(await told()).toEqual([{ at, type: 'charge.refunded', outcome: 'processed', via: 'forwarded' }, null]);
});

it('a Stripe event is recorded even if the update of the connection status fails', async () => {
  const { brand, id, metadata } = await visitorOf(await directBrand(world));
  await failing('count', refused('InternalServerError'), () => deliver(brand, paid(id, { metadata })));
  expect(await world.items(`SALE#cs_${id}`)).toHaveLength(2);
});
