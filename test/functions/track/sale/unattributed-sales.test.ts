import { beforeEach, describe, expect, it } from 'vitest';
import { handler as sale } from '#functions/track/sale.ts';
import { eraseCustomer } from '#lib/service/operations/erasure/erase-customer.ts';
import { type OwnedBrand, ownedBrand } from '#test/support/programs/commissions.ts';
import { failing, refused } from '#test/support/table/faults.ts';
import { leftBehind } from '#test/support/table/invariants.ts';
import { changeProgram, clicked, removePartner, signedUp, sold } from '#test/support/payments/lives/journeys.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import { checkoutSession, deliver, directEndpoint, openProcessor, stripeEvent } from '#test/support/stripe/stripe.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// Tests of refused sales of the brand's server, which the owner finds, fixes and records.

openProcessor();

const world = openedWorld();
let own: OwnedBrand;
let clickId: string;
beforeEach(async () => {
  own = await ownedBrand(world);
  clickId = await signedUp(own, 'buyer');
});

const DAY_MS = 86_400_000;
const BOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
const daysLater = (days: number) => new Date(NOW.getTime() + days * DAY_MS);

const sell = (body: object, at = NOW) =>
  send(sale, { key: own.key, body: { transaction_id: `lost_${own.program.id}`, amount_cents: 4900, ...body }, at });
const listed = async (at = NOW) => (await own.owner.get(`${own.path}/processor/payments`, { at })).body.data;
const retry = async (at = NOW) =>
  (await own.owner.post(`${own.path}/processor/payments/lost_${own.program.id}/retry`, undefined, { at })).body;
const row = (reason: string, more: object = {}) => ({
  event_id: null,
  event_type: 'api',
  transaction_id: `lost_${own.program.id}`,
  amount_cents: 4900,
  currency: 'USD',
  reason,
  detail: null,
  at: NOW.toISOString(),
  ...more,
});
const recorded = { data: { recorded: true, reason: null } };
const stillNot = (reason: string) => ({ data: { recorded: false, reason } });
const saleItems = () => world.items(`SALE#lost_${own.program.id}`);

describe('the list of sales that could not be recorded contains', () => {
  it('a sale outside the attribution window; once the owner sets a longer window, a retry records it at its own time', async () => {
    const at = daysLater(80);
    expect((await sell({ click_id: await clicked(own) }, at)).body).toMatchObject({
      reason: 'attribution_window_expired',
    });
    expect(await listed(at)).toEqual([row('attribution_window_expired', { at: at.toISOString() })]);
    expect(await retry(daysLater(81))).toEqual(stillNot('attribution_window_expired'));
    await own.owner.patch(own.path, { attribution_window_days: 90 });
    expect(await retry(daysLater(81))).toEqual(recorded);
    expect(await saleItems()).toMatchObject([{ sk: 'COMMISSION' }, { sk: 'SALE', occurredAt: at.toISOString() }]);
    expect(await listed(daysLater(81))).toEqual([]);
  });

  it('a sale whose payment is earlier than the click', async () => {
    await sell({ customer_key: 'buyer', occurred_at: daysLater(-1).toISOString() });
    expect(await listed()).toEqual([row('click_after_payment')]);
  });

  it('a sale of a customer whose partner was removed', async () => {
    await removePartner(world, own);
    expect((await sell({ customer_key: 'buyer' })).status).toBe(400);
    expect(await listed()).toEqual([row('no_partner_relation')]);
    await changeProgram(world, own, { removedPartnerIds: [] });
    expect(await retry()).toEqual(recorded);
    expect(await saleItems()).toHaveLength(2);
  });

  it.each([
    ['that is unknown', async () => 'clk_unknown'],
    ['of a test click', async () => 'clk_test_1'],
    ['of another program', async () => clicked(await world.brand())],
  ])('a sale with a click id %s', async (_, idOf) => {
    expect((await sell({ click_id: await idOf(), customer_key: 'nobody' })).status).toBe(400);
    expect(await listed()).toEqual([row('unknown_click')]);
    expect(await retry()).toEqual(stillNot('unknown_click'));
    await signedUp(own, 'nobody');
    expect(await retry()).toEqual(recorded);
    expect(await listed()).toEqual([]);
  });

  it('a sale with the click id of a bot’s click', async () => {
    const click_id = await clicked(own, { headers: { origin: 'https://a.test', 'user-agent': BOT } });
    expect((await sell({ click_id })).status).toBe(400);
    expect(await listed()).toEqual([row('bot_click')]);
    expect(await retry()).toEqual(stillNot('bot_click'));
  });

  it('a sale in an unsupported currency, if the request names a customer', async () => {
    expect((await sell({ customer_key: 'buyer', currency: 'gbp' })).status).toBe(422);
    const expected = row('unsupported_currency', { currency: 'GBP', detail: 'currency GBP is not supported' });
    expect(await listed()).toEqual([expected]);
    expect(await retry()).toEqual(stillNot('unsupported_currency'));
  });
});

describe('the row of a transaction id in the list of sales that could not be recorded', () => {
  it('shows the newest request with that transaction id', async () => {
    await sell({ customer_key: 'buyer', currency: 'GBP' });
    await sell({ click_id: 'clk_unknown', amount_cents: 100 }, daysLater(1));
    expect(await listed()).toEqual([row('unknown_click', { amount_cents: 100, at: daysLater(1).toISOString() })]);
  });

  it('disappears when the server sends the sale again and it is recorded', async () => {
    await sell({ customer_key: 'buyer', currency: 'GBP' });
    await sold(own, { transaction_id: `lost_${own.program.id}`, customer_key: 'buyer' });
    expect(await listed()).toEqual([]);
    expect(await retry()).toEqual(recorded);
    expect(await saleItems()).toHaveLength(2);
  });

  it('disappears when Stripe reports the payment', async () => {
    await directEndpoint(world, own);
    const id = `p${own.program.id}`;
    await sell({ customer_key: 'nobody', click_id: 'clk_unknown', provider_payment_id: `pi_${id}` });
    expect(await listed()).toHaveLength(1);
    const session = checkoutSession(id, { metadata: { service_click_id: clickId } });
    await deliver(own, stripeEvent('checkout.session.completed', session));
    expect(await listed()).toEqual([]);
    expect(await retry()).toEqual(recorded);
    expect(await saleItems()).toEqual([]);
  });

  it('leads to one sale, even if ten retries and ten repeated calls run in parallel', async () => {
    await removePartner(world, own);
    await sell({ customer_key: 'buyer' });
    await changeProgram(world, own, { removedPartnerIds: [] });
    const [tries] = await Promise.all([
      Promise.all(Array.from({ length: 10 }, () => retry())),
      Promise.all(Array.from({ length: 10 }, () => sell({ customer_key: 'buyer' }))),
    ]);
    expect(tries).toEqual(tries.map(() => recorded));
    expect(await saleItems()).toHaveLength(2);
    expect(await listed()).toEqual([]);
  });
});

describe('the list of sales that could not be recorded does not contain', () => {
  it.each([
    ['has an unknown identifier', { customer_key: 'nobody' }],
    ['has no identifier', {}],
    ['has no identifier and another currency', { customer_key: 'nobody', currency: 'GBP' }],
    ['has an unknown click in another currency', { click_id: 'clk_unknown', currency: 'GBP' }],
    ['has an invalid field', { click_id: 'clk_unknown', amount_cents: -1 }],
    ['is a test', { click_id: 'clk_unknown', currency: 'GBP', additional_data: { test_mode: true } }],
  ])('a sale that %s', async (_, body) => {
    const left = await leftBehind(world, () => sell(body));
    expect(left.filter(({ pk }) => !String(pk).startsWith('WINDOW#'))).toEqual([]);
    expect(await listed()).toEqual([]);
  });

  it('a sale that is already recorded', async () => {
    await sold(own, { transaction_id: `lost_${own.program.id}`, customer_key: 'buyer' });
    expect((await sell({ click_id: 'clk_unknown' })).status).toBe(409);
    expect(await listed()).toEqual([]);
  });

  it('a sale that has an unknown click id, but whose customer key finds a customer', async () => {
    expect((await sell({ click_id: 'clk_unknown', customer_key: 'buyer' })).body).toMatchObject({ attributed: true });
    expect(await listed()).toEqual([]);
  });
});

it('a sale that could not be recorded gets the same reply even if it cannot be listed', async () => {
  const body = { click_id: 'clk_unknown' };
  const { status, body: expected } = await sell(body);
  const reply = await failing('write', refused('InternalServerError'), () => sell(body));
  expect(reply).toMatchObject({ status, body: expected });
});

it('the rows of sales that could not be recorded are deleted when their customer is erased', async () => {
  await sell({ customer_key: 'buyer', currency: 'GBP' });
  await eraseCustomer(world.deps(), { programId: own.program.id, customerKey: 'buyer' }, async () => undefined);
  expect(JSON.stringify(await world.items(`UNSOLD#${own.program.id}`))).not.toContain('buyer');
  expect(await listed()).toHaveLength(1);
});
