import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { handler as click } from '#functions/track/click.ts';
import { handler as lead } from '#functions/track/lead.ts';
import { handler as sale } from '#functions/track/sale.ts';
import { createLink } from '#lib/service/programs/links/create-link.ts';
import { setLinkStatus } from '#lib/service/programs/links/set-link-status.ts';
import { changePartner } from '#lib/service/programs/partners/change-partner.ts';
import { changeProgram, clicked, signedUp } from '#test/support/payments/lives/journeys.ts';
import { operated } from '#test/support/callers/operator.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import { dependentTrips, sentCalls, unitsOf } from '#test/support/servers/sent-calls.ts';
import { type Brand, openWorld, type World } from '#test/support/programs/world.ts';

// As on AWS, a container caches links and programs of clicks for a second, and other containers run the functions that
// change them. The use cases and commands in this file stand for those containers.

process.env.REMEMBERED_READS_MS = '1000';
afterAll(() => {
  delete process.env.REMEMBERED_READS_MS;
});

let world: World;
let brand: Brand;
beforeAll(async () => {
  world = await openWorld();
  // The first request of a container reserves ids.
  await clicked(await world.brand());
});
beforeEach(async () => {
  brand = await world.brand();
});

const after = (ms: number) => new Date(NOW.getTime() + ms);
const clickAt = (ms: number, more: { existing_click_id?: string; origin?: string } = {}) => {
  const { origin, ...body } = more;
  return send(click, {
    body: { affiliate_url: brand.affiliateUrl, ...body },
    headers: origin ? { origin } : {},
    at: after(ms),
  });
};
const recorded = { status: 200, body: { success: true } };
const disabled = { status: 410, body: { error: { message: 'Referral link is inactive' } } };
const disable = (ms: number) => setLinkStatus(world.deps(after(ms)), brand.program.id, brand.shortLink, 'inactive');

const cost = async (ask: () => Promise<unknown>) => {
  const calls = await sentCalls(ask);
  return { trips: dependentTrips(calls), calls: calls.length, ...unitsOf(calls) };
};

describe('a click within a second of another click on the same link', () => {
  it('reads neither the link nor the program again, and its CORS check does not either', async () => {
    expect(await cost(() => clickAt(0))).toEqual({ trips: 2, calls: 4, read: 2, write: 3 });
    expect(await cost(() => clickAt(999))).toEqual({ trips: 2, calls: 2, read: 0, write: 3 });
    const origin = `https://${brand.program.domain}`;
    const replies: unknown[] = [];
    expect(await cost(async () => replies.push(await clickAt(999, { origin })))).toMatchObject({ calls: 2, read: 0 });
    expect(replies).toMatchObject([{ ...recorded, headers: { 'Access-Control-Allow-Origin': origin } }]);
  });

  it('still reads the customer whose click id it sends', async () => {
    const clickId = await clicked(brand);
    expect(await cost(() => clickAt(1, { existing_click_id: clickId }))).toMatchObject({ calls: 3, read: 1 });
  });
});

describe('a change takes effect for clicks after at most one second', () => {
  it('when a link is switched off and on', async () => {
    await clickAt(0);
    await disable(1);
    expect(await clickAt(999)).toMatchObject(recorded);
    expect(await clickAt(1_000)).toMatchObject(disabled);
    await setLinkStatus(world.deps(after(1_001)), brand.program.id, brand.shortLink, 'active');
    expect(await clickAt(2_000)).toMatchObject(recorded);
  });

  it('even if clicks arrive all the time', async () => {
    for (const ms of [0, 400]) await clickAt(ms);
    await disable(401);
    expect(await clickAt(800)).toMatchObject(recorded);
    expect(await clickAt(1_200)).toMatchObject(disabled);
  });

  it('when a partner is removed; sales for that partner are refused at once', async () => {
    await signedUp(brand, 'buyer');
    await changePartner(world.deps(), { id: brand.program.id }, brand.partner.id, { status: 'removed' });
    expect(await clickAt(999)).toMatchObject(recorded);
    const body = { transaction_id: 'removed', customer_key: 'buyer', amount_cents: 4900 };
    const reply = await send(sale, { key: brand.key, body, at: after(999) });
    expect(reply).toMatchObject({
      status: 400,
      body: { error: { message: 'No partner-program relationship found for this customer' } },
    });
    expect(await clickAt(1_000)).toMatchObject(disabled);
  });

  it('when the operator unlinks a link from its partner', async () => {
    await clickAt(0);
    await operated(world, `link unlink --short-link ${brand.shortLink}`, after(1));
    expect(await clickAt(999)).toMatchObject(recorded);
    expect(await clickAt(1_000)).toMatchObject({
      status: 400,
      body: { error: { message: 'Invalid referral link configuration' } },
    });
  });

  it('when a program’s attribution window changes', async () => {
    await clickAt(0);
    await changeProgram(world, brand, { attributionWindowDays: 7 });
    expect(await clickAt(999)).toMatchObject({ body: { cookie_window_days: 60 } });
    expect(await clickAt(1_000)).toMatchObject({ body: { cookie_window_days: 7 } });
  });

  it('and takes effect at once if the clock was set back', async () => {
    await clickAt(60_000);
    await disable(60_001);
    expect(await clickAt(0)).toMatchObject(disabled);
  });
});

it('an unknown link is not cached: each click reads the link again', async () => {
  const affiliate_url = `https://${brand.program.domain}/?aff=${brand.shortLink}new`;
  expect(await send(click, { body: { affiliate_url } })).toMatchObject({
    status: 400,
    body: { error: { message: 'Referral link not found' } },
  });
  await createLink(world.deps(), brand.program.id, { partnerId: brand.partner.id, shortLink: `${brand.shortLink}new` });
  expect(await send(click, { body: { affiliate_url } })).toMatchObject(recorded);
});

it('a lead and its CORS check always read the program from the table', async () => {
  const clickId = await clicked(brand);
  await changeProgram(world, brand, { allowedOrigins: ['https://new.test'] });
  const body = { click_id: clickId, customer_key: 'new', program_id: brand.program.id };
  const reply = await send(lead, { body, headers: { origin: 'https://new.test' } });
  expect(reply).toMatchObject({ status: 200, headers: { 'Access-Control-Allow-Origin': 'https://new.test' } });
});

it('with a cache time of 0, a change takes effect for clicks at once', async () => {
  process.env.REMEMBERED_READS_MS = '0';
  world = await openWorld();
  brand = await world.brand();
  await clickAt(0);
  await disable(0);
  expect(await clickAt(0)).toMatchObject(disabled);
});
