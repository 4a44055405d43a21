import { beforeAll, expect, it } from 'vitest';
import { handler as click } from '#functions/track/click.ts';
import { handler as lead } from '#functions/track/lead.ts';
import { handler as refund } from '#functions/track/refund.ts';
import { handler as sale } from '#functions/track/sale.ts';
import { handler as forward } from '#functions/track/stripe.ts';
import { sha256 } from '#lib/service/ground/addresses/credential.ts';
import { hourOf } from '#lib/service/ground/values/day.ts';
import type { Handler } from '#lib/service/http/messages/handler.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { givenCode } from '#test/support/programs/codes.ts';
import { browserLead, changeProgram, clicked, signedUp, sold, soldTo } from '#test/support/payments/lives/journeys.ts';
import { invoiced, renewed, visitor } from '#test/support/payments/payers.ts';
import { NOW, send, type TestRequest } from '#test/support/callers/request.ts';
import { dependentTrips, type SentCall, sentCalls } from '#test/support/servers/sent-calls.ts';
import { deliver, openProcessor } from '#test/support/stripe/stripe.ts';
import { type Brand, openWorld, type World } from '#test/support/programs/world.ts';

const OLDER_KEY = 'an-older-key-without-structure';

openProcessor();

let world: World;
let brand: Brand;
/** A program in browser_allowed mode. */
let trusting: Brand;
/** Does not list its partners by address. */
let former: Brand;
beforeAll(async () => {
  world = await openWorld();
  brand = await world.brand();
  trusting = await world.brand({ leadAuth: 'browser_allowed' });
  former = await world.brand();
  await changeProgram(world, former, { listsAddresses: undefined });
  const credential = { class: 'programKey', programId: brand.program.id, lastUsedAt: hourOf(NOW) };
  await world.deps().table.put(keys.credential(sha256(OLDER_KEY)), credential);
  await givenCode(world, brand);
  // The first request of a container reserves ids; the measured ones are typical.
  await clicked(brand);
});

let count = 0;
const fresh = (name: string) => `${name}-${++count}`;
const saleOf = (customerKey: string, more: object = {}) => ({
  body: { transaction_id: fresh('sale'), amount_cents: 4900, customer_key: customerKey, ...more },
});

/** The cost of a request after its preparation: dependent round trips and the table's request units. */
interface Row {
  readonly name: string;
  readonly handler: Handler;
  readonly prepare: () => Promise<TestRequest>;
  readonly cost: {
    readonly trips: number;
    readonly calls: number;
    readonly readUnits: number;
    readonly writeUnits: number;
  };
}

const rows: Row[] = [
  {
    name: 'click',
    handler: click,
    prepare: async () => ({ body: { affiliate_url: brand.affiliateUrl } }),
    cost: { trips: 2, calls: 4, readUnits: 2, writeUnits: 3 },
  },
  {
    name: 'repeated click',
    handler: click,
    prepare: async () => ({ body: { affiliate_url: brand.affiliateUrl, existing_click_id: await clicked(brand) } }),
    cost: { trips: 2, calls: 4, readUnits: 3, writeUnits: 3 },
  },
  {
    name: 'lead in server mode, all fields',
    handler: lead,
    prepare: async () => ({
      key: brand.key,
      body: { click_id: await clicked(brand), customer_key: fresh('user'), email: 'user@example.com' },
    }),
    // One query finds no partner at the domain, so the partner's address need not be read.
    cost: { trips: 2, calls: 4, readUnits: 7, writeUnits: 11 },
  },
  {
    name: 'lead in server mode, with an e-mail address at the domain of a partner',
    handler: lead,
    prepare: async () => ({
      key: brand.key,
      body: { click_id: await clicked(brand), customer_key: fresh('user'), email: 'user@partners.test' },
    }),
    // The partner's address, compared with the customer's, is read after the customer.
    cost: { trips: 3, calls: 5, readUnits: 8, writeUnits: 11 },
  },
  {
    name: 'lead in server mode, of a program of a former version',
    handler: lead,
    prepare: async () => ({
      key: former.key,
      body: { click_id: await clicked(former), customer_key: fresh('user'), email: 'user@example.com' },
    }),
    cost: { trips: 3, calls: 5, readUnits: 8, writeUnits: 11 },
  },
  {
    name: 'provisional lead in browser mode, with program_id',
    handler: lead,
    prepare: async () => ({
      body: { click_id: await clicked(brand), customer_key: fresh('user'), program_id: brand.program.id },
    }),
    cost: { trips: 2, calls: 3, readUnits: 5, writeUnits: 7 },
  },
  {
    name: 'repeated lead in browser mode',
    handler: lead,
    prepare: async () => {
      const body = { click_id: await clicked(brand), program_id: brand.program.id };
      await browserLead(body);
      return { body };
    },
    cost: { trips: 1, calls: 2, readUnits: 4, writeUnits: 1 },
  },
  {
    name: 'first sale of a customer, by customer_key',
    handler: sale,
    prepare: async () => {
      const customerKey = fresh('user');
      await signedUp(brand, customerKey);
      return { key: brand.key, ...saleOf(customerKey) };
    },
    // One read checks whether another sale has this id.
    cost: { trips: 2, calls: 3, readUnits: 6, writeUnits: 17 },
  },
  {
    name: 'first sale of a customer, with provider_payment_id',
    handler: sale,
    prepare: async () => {
      const customerKey = fresh('user');
      await signedUp(brand, customerKey);
      return { key: brand.key, ...saleOf(customerKey, { provider_payment_id: fresh('pi_') }) };
    },
    cost: { trips: 2, calls: 3, readUnits: 8, writeUnits: 19 },
  },
  {
    name: 'first sale of a customer, by click_id',
    handler: sale,
    prepare: async () => ({ key: brand.key, ...saleOf('', { click_id: await clicked(brand) }) }),
    cost: { trips: 2, calls: 3, readUnits: 6, writeUnits: 16 },
  },
  {
    name: 'first sale of a customer, by a customer_key that only a browser claimed',
    handler: sale,
    prepare: async () => {
      const customerKey = fresh('user');
      await browserLead({ click_id: await clicked(trusting), customer_key: customerKey });
      return { key: trusting.key, ...saleOf(customerKey) };
    },
    // After the key's claim, a further read checks whether the key has an earlier unattributed payment.
    cost: { trips: 3, calls: 4, readUnits: 7, writeUnits: 19 },
  },
  {
    name: 'first sale of a customer found by a coupon code',
    handler: sale,
    prepare: async () => ({ key: brand.key, ...saleOf(fresh('user'), { coupon_code: 'save10' }) }),
    cost: { trips: 2, calls: 3, readUnits: 7, writeUnits: 18 },
  },
  {
    name: 'first sale of a customer with a code, by click_id',
    handler: sale,
    prepare: async () => ({
      key: brand.key,
      ...saleOf('', { click_id: await clicked(brand), coupon_code: 'SAVE10' }),
    }),
    cost: { trips: 2, calls: 3, readUnits: 7, writeUnits: 16 },
  },
  {
    name: 'first sale of a subscription',
    handler: sale,
    prepare: async () => {
      const customerKey = fresh('user');
      await signedUp(brand, customerKey);
      return { key: brand.key, ...saleOf(customerKey, { sale_type: 'subscription', subscription_id: fresh('sub') }) };
    },
    cost: { trips: 2, calls: 3, readUnits: 7, writeUnits: 19 },
  },
  {
    name: 'renewal of a subscription',
    handler: sale,
    prepare: async () => {
      const customerKey = fresh('user');
      const subscription = { sale_type: 'subscription', subscription_id: fresh('sub') };
      await soldTo(brand, customerKey, { transaction_id: fresh('sale'), ...subscription });
      return { key: brand.key, ...saleOf(customerKey, subscription) };
    },
    // No commission is due.
    cost: { trips: 2, calls: 3, readUnits: 7, writeUnits: 6 },
  },
  {
    name: 'later sale of a customer',
    handler: sale,
    prepare: async () => {
      const customerKey = fresh('user');
      await soldTo(brand, customerKey, { transaction_id: fresh('sale') });
      return { key: brand.key, ...saleOf(customerKey) };
    },
    cost: { trips: 2, calls: 3, readUnits: 6, writeUnits: 13 },
  },
  {
    name: 'duplicate sale',
    handler: sale,
    prepare: async () => {
      const customerKey = fresh('user');
      const { body } = saleOf(customerKey);
      await soldTo(brand, customerKey, body);
      return { key: brand.key, body };
    },
    cost: { trips: 1, calls: 2, readUnits: 6, writeUnits: 1 },
  },
  {
    name: 'first sale of a customer, with an older key without structure',
    handler: sale,
    prepare: async () => {
      const customerKey = fresh('user');
      await signedUp(brand, customerKey);
      return { key: OLDER_KEY, ...saleOf(customerKey) };
    },
    cost: { trips: 3, calls: 4, readUnits: 6, writeUnits: 17 },
  },
  {
    name: 'full refund',
    handler: refund,
    prepare: async () => {
      const transactionId = fresh('sale');
      await signedUp(brand, transactionId);
      await sold(brand, { transaction_id: transactionId, customer_key: transactionId });
      return { key: brand.key, body: { transaction_id: transactionId } };
    },
    cost: { trips: 2, calls: 3, readUnits: 3, writeUnits: 11 },
  },
];

it.each(rows)(
  '$name costs at most $cost.readUnits read and $cost.writeUnits write units in $cost.calls calls; dependent round trips: $cost.trips',
  async ({ handler, prepare, cost }) => {
    const request = await prepare();
    const sent = await sentCalls(() => send(handler, request));
    expect(sent).toHaveLength(cost.calls);
    expect(dependentTrips(sent)).toBe(cost.trips);
    expect(sent.reduce((sum, call) => sum + call.readUnits, 0)).toBeLessThanOrEqual(cost.readUnits);
    expect(sent.reduce((sum, call) => sum + call.writeUnits, 0)).toBeLessThanOrEqual(cost.writeUnits);
  },
);

it('a renewal that Stripe or the brand’s server reports needs three dependent round trips, and one to store the event’s id', async () => {
  const { brand: subscribedBrand, id, metadata } = await visitor(world);
  await deliver(subscribedBrand, invoiced(id, { metadata }));
  const signedCalls = await sentCalls(() => deliver(subscribedBrand, renewed(id, { metadata })));
  const body = renewed(`${id}f`, { metadata });
  const forwardedCalls = await sentCalls(() => send(forward, { key: subscribedBrand.key, body }));
  for (const calls of [signedCalls, forwardedCalls]) {
    expect([dependentTrips(calls), isNoted(calls.at(-1))]).toEqual([4, true]);
  }
  expect(forwardedCalls.length).toBeLessThanOrEqual(signedCalls.length);
});

const isNoted = (call: SentCall | undefined): boolean => JSON.stringify(call?.input).includes('LAST_DELIVERY#');
