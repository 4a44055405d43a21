import { beforeAll, describe, expect, it } from 'vitest';
import { handler as click } from '#functions/track/click.ts';
import { handler as lead } from '#functions/track/lead.ts';
import { handler as sale } from '#functions/track/sale.ts';
import { codedError, platformError } from '#test/support/servers/errors.ts';
import { changeProgram, clicked, signedUp } from '#test/support/payments/lives/journeys.ts';
import { send } from '#test/support/callers/request.ts';
import { markedBrand, warnings as rotation } from '#test/support/programs/rotation.ts';
import { connected, directEndpoint, openProcessor } from '#test/support/stripe/stripe.ts';
import { warned } from '#test/support/programs/warnings.ts';
import { type Brand, openWorld, type World } from '#test/support/programs/world.ts';

openProcessor();

let world: World;
let brand: Brand;
let other: Brand;
beforeAll(async () => {
  world = await openWorld();
  [brand, other] = [await world.brand(), await world.brand()];
});

const BOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
const OFFICE = '203.0.113.7';

const clickOf = (body: object = {}, more: { ip?: string; headers?: Record<string, string> } = {}) =>
  send(click, { body: { affiliate_url: brand.affiliateUrl, ...body }, ...more });
const botsClick = async (): Promise<string> => (await clickOf({ user_agent: BOT })).body.click_id;

describe('the reply to a click', () => {
  it.each([
    ['a bot', { user_agent: BOT }, {}],
    ['a preview', { user_agent: 'WhatsApp/2.23' }, {}],
    ['a page prefetched by a browser', {}, { headers: { 'sec-purpose': 'prefetch' } }],
    ['a headless browser', { user_agent: 'Mozilla/5.0 HeadlessChrome/130.0' }, {}],
  ])('by %s has a warning that its click id matches no customer', async (_, body, more) => {
    const reply = await clickOf(body, more);
    expect(reply).toMatchObject({ status: 200, body: { success: true, warnings: [warned('bot_click')] } });
  });

  it('from an IP address that the program ignores has the warning that its click id matches no customer', async () => {
    await changeProgram(world, brand, { ignoredAddresses: [OFFICE] });
    expect((await clickOf({}, { ip: OFFICE })).body.warnings).toEqual([warned('bot_click')]);
    await changeProgram(world, brand, { ignoredAddresses: undefined });
  });

  it('by a person, or by a bot that sends a person’s click id, has no warning', async () => {
    const existing_click_id = await clicked(brand);
    expect((await clickOf()).body).not.toHaveProperty('warnings');
    const { body } = await clickOf({ existing_click_id, user_agent: BOT });
    expect(body).toMatchObject({ click_id: existing_click_id });
    expect(body).not.toHaveProperty('warnings');
  });
});

const kinds: readonly [string, () => Promise<unknown>, string][] = [
  ['bot_click', botsClick, 'not found'],
  ['test_click', async () => 'clk_test_1', 'not found'],
  ['other_program_click', () => clicked(other), 'elsewhere'],
  ['unknown_click', async () => 'clk_unknown', 'not found'],
  ['unknown_click', async () => 'x'.repeat(256), 'not found'],
];

describe.each(kinds)('the warning %s about a click id', (code, clickId, where) => {
  const warnings = [warned(code as 'bot_click')];
  const isElsewhere = where === 'elsewhere';

  it('is in the reply to a lead with the program key', async () => {
    const body = { click_id: await clickId(), customer_key: 'nobody' };
    const text = isElsewhere
      ? 'Customer does not belong to this program'
      : 'Customer not found. Provide a valid click_id or customer_key.';
    expect(await send(lead, { key: brand.key, body })).toMatchObject({
      status: 400,
      body: { ...platformError(400, text), warnings },
    });
  });

  it('is not in the reply to a lead without the program key', async () => {
    const { body } = await send(lead, { body: { click_id: await clickId(), program_id: brand.program.id } });
    expect(body).not.toHaveProperty('warnings');
  });

  it('is in the reply to a sale', async () => {
    const body = { transaction_id: 'none', amount_cents: 1, click_id: await clickId() };
    const text = isElsewhere
      ? 'No affiliate attribution found for this customer in this program'
      : 'Customer not found. Provide customer_key or click_id.';
    expect((await send(sale, { key: brand.key, body })).body).toEqual({
      ...codedError(400, 'no_attribution', text),
      warnings,
    });
  });
});

it('a lead or a sale without a click id gets no warning about a click', async () => {
  const body = { transaction_id: 'none', amount_cents: 1, customer_key: 'nobody' };
  expect((await send(sale, { key: brand.key, body })).body).not.toHaveProperty('warnings');
  expect((await send(lead, { key: brand.key, body: { customer_key: 'nobody' } })).body).not.toHaveProperty('warnings');
});

it('the warning about a key marked for rotation is returned together with other warnings', async () => {
  const marked = await markedBrand(world);
  const body = { click_id: 'clk_unknown' };
  expect((await send(lead, { key: marked.key, body })).body.warnings).toEqual([warned('unknown_click'), ...rotation]);
});

describe('the warning possible_double_count, which says that Stripe could report the same payment again,', () => {
  let sent = 0;
  const sell = async (seller: Brand, more: object = {}) => {
    sent += 1;
    const customer_key = `user_${sent}`;
    await signedUp(seller, customer_key);
    const body = { transaction_id: `order_${sent}`, amount_cents: 4900, customer_key, ...more };
    return (await send(sale, { key: seller.key, body })).body;
  };

  it.each([
    ['a connected Stripe account', async (seller: Brand) => connected(world, `acct_${seller.program.id}`, [seller])],
    ['its own Stripe endpoint', async (seller: Brand) => directEndpoint(world, seller)],
  ])('is in the reply to a sale without a Stripe id, in a program with %s', async (_, connect) => {
    const seller = await world.brand();
    expect(await sell(seller)).not.toHaveProperty('warnings');
    await connect(seller);
    expect(await sell(seller)).toEqual({
      success: true,
      sale_id: expect.any(Number),
      commission_id: expect.any(Number),
      attributed: true,
      is_recurring: false,
      message: 'Sale tracked successfully',
      warnings: [warned('possible_double_count')],
    });
    expect(await sell(seller, { provider: 'stripe', provider_payment_id: 'shop-7' })).toMatchObject({
      warnings: [warned('possible_double_count')],
    });
    expect(await sell(seller, { provider_payment_id: 'pi_1' })).not.toHaveProperty('warnings');
    expect(await sell(seller, { transaction_id: `in_${seller.program.id}` })).not.toHaveProperty('warnings');
    expect(await sell(seller, { additional_data: { test_mode: true } })).not.toHaveProperty('warnings');
  });

  it('is not in the reply to a sale that is not recorded', async () => {
    const seller = await world.brand();
    await directEndpoint(world, seller);
    const clickId = await clicked(seller);
    const at = new Date('2027-02-20T14:30:00.000Z');
    const { body } = await send(sale, {
      key: seller.key,
      body: { transaction_id: 'late', amount_cents: 1, click_id: clickId },
      at,
    });
    expect(body).toMatchObject({ attributed: false });
    expect(body).not.toHaveProperty('warnings');
  });
});
