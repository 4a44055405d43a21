import { describe, expect, it } from 'vitest';
import { handler as lead } from '#functions/track/lead.ts';
import { handler as sale } from '#functions/track/sale.ts';
import { cleoWithCode, givenCode } from '#test/support/programs/codes.ts';
import { type OwnedBrand, ownedBrand } from '#test/support/programs/commissions.ts';
import { expectNothingHalfWritten } from '#test/support/table/invariants.ts';
import {
  anotherPartner,
  browserLead,
  changeProgram,
  clicked,
  settledLead,
  signedUp,
  sold,
  unlinkPartner,
} from '#test/support/payments/lives/journeys.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import { counted } from '#test/support/table/stream.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import type { World } from '#test/support/programs/world.ts';

const world = openedWorld();

const DAY = 86_400_000;
const day = (n: number) => new Date(+NOW + n * DAY);
let count = 0;
const fresh = (name = 'sale') => `${name}_${++count}`;

const sell = (brand: OwnedBrand, body: object, at = NOW) =>
  send(sale, {
    key: brand.key,
    at,
    body: { transaction_id: fresh(), amount_cents: 4900, coupon_code: 'SAVE10', ...body },
  });

/** Makes a sale. @returns its explanation */
async function soldWith(brand: OwnedBrand, body: object = {}, at = NOW) {
  const id = fresh();
  const reply = await sell(brand, { transaction_id: id, ...body }, at);
  expect(reply.body).toMatchObject({ success: true, attributed: true });
  return (await brand.owner.get(`${brand.path}/sales/${id}`)).body.data;
}

/** Makes a sale. @returns its partner and the reason */
const outcome = async (brand: OwnedBrand, body: object = {}, at = NOW) => {
  const { attribution, sale: recorded } = await soldWith(brand, body, at);
  return [
    attribution.partner.name,
    attribution.resolved_by,
    attribution.overruled?.partner.name ?? null,
    recorded.code,
  ];
};

const scene = async (settings: Parameters<World['brand']>[0] = {}) => {
  const brand = await ownedBrand(world, settings);
  return { brand, cleo: await cleoWithCode(world, brand) };
};
const codeFirst = { codePrecedence: 'code_first' } as const;

describe('a sale with a coupon code and a customer who is not known yet', () => {
  it('creates the customer under the sent key and belongs to the code’s partner', async () => {
    const { brand, cleo } = await scene();
    const {
      sale: recorded,
      attribution,
      customer,
      window,
      commission,
      clicks,
      timeline,
    } = await soldWith(brand, {
      customer_key: 'user_1',
      coupon_code: 'save10',
    });
    expect(recorded).toMatchObject({ code: 'SAVE10', source: 'api' });
    expect(attribution).toEqual({
      resolved_by: 'code',
      identifier: 'SAVE10',
      partner: { id: cleo.partner.id, name: 'Cleo', short_link: null },
      overruled: null,
      text: 'Found by code SAVE10. It is a code of Cleo.',
    });
    expect(customer).toEqual({
      click_id: expect.stringMatching(/^clk_[0-9a-hjkmnp-tv-z]{26}$/),
      customer_key: 'user_1',
      status: 'conversion',
      lead_state: null,
      email_masked: null,
      source: 'code',
      code: 'SAVE10',
      first_click_at: NOW.toISOString(),
      signup_at: null,
      first_purchase_at: NOW.toISOString(),
    });
    expect(window).toMatchObject({ checked: false, reason: 'brought_by_code' });
    expect(commission).toMatchObject({ partner_id: cleo.partner.id, amount_cents: 980, click_id: customer.click_id });
    expect(clicks).toEqual([]);
    expect(timeline.map(({ text }: { text: string }) => text)).toEqual([
      'Sale of 49.00 USD recorded, found by code SAVE10',
      'Commission created: 9.80 USD',
    ]);
    expect(await world.items(`CUSTOMER#${customer.click_id}`)).toEqual([
      {
        pk: `CUSTOMER#${customer.click_id}`,
        sk: 'CUSTOMER',
        id: recorded.id,
        source: 'code',
        code: 'SAVE10',
        clickId: customer.click_id,
        programId: brand.program.id,
        partnerId: cleo.partner.id,
        status: 'conversion',
        customerKey: 'user_1',
        firstClickAt: NOW.toISOString(),
        firstPurchaseAt: NOW.toISOString(),
        firstTerms: 1,
        hasPaidFor: 'payment',
        visit: {},
        gsi2pk: `PARTNER#${brand.program.id}#${cleo.partner.id}#CUSTOMERS`,
        gsi2sk: `${NOW.toISOString()}#${recorded.id}`,
      },
      expect.objectContaining({ sk: `SALE#${NOW.toISOString()}#${recorded.transaction_id}` }),
    ]);
  });

  it('makes later sales with the same customer key belong to the code’s partner too, even with no code and a click on another link', async () => {
    const { brand } = await scene();
    await soldWith(brand, { customer_key: 'user_1' });
    const clickId = await clicked(brand);
    const later = { customer_key: 'user_1', click_id: clickId, coupon_code: undefined };
    expect(await outcome(brand, later)).toEqual(['Cleo', 'customer_key', null, null]);
    const year = await soldWith(
      brand,
      { customer_key: 'user_1', coupon_code: undefined, is_recurring: true },
      day(365),
    );
    expect(year.attribution).toMatchObject({
      partner: { name: 'Cleo', short_link: null },
      text: 'Customer user_1 was found by customer_key. The customer came by a code of Cleo. No commission is due for this payment.',
    });
    expect(year.window).toMatchObject({ checked: false, reason: 'conversion_already_recorded' });
  });

  it('creates a new customer for each sale if no customer key is sent', async () => {
    const { brand } = await scene();
    const [first, second] = [await soldWith(brand), await soldWith(brand)];
    expect(first.customer).toMatchObject({ customer_key: null, status: 'conversion' });
    expect(second.customer.click_id).not.toBe(first.customer.click_id);
    const { body } = await brand.owner.get(`${brand.path}/customers`);
    expect(body.data.map(({ click_id: id }: { click_id: string }) => id)).toEqual(
      expect.arrayContaining([first.customer.click_id, second.customer.click_id]),
    );
    expect(body.data[0]).toMatchObject({ short_link: null, code: 'SAVE10', partner_name: 'Cleo' });
  });

  it('ignores a click id that is unknown or belongs to another program', async () => {
    const { brand } = await scene();
    const foreign = await clicked(await world.brand());
    for (const clickId of ['clk_unknown', foreign]) {
      const { customer } = await soldWith(brand, { click_id: clickId });
      expect(customer.click_id).not.toBe(clickId);
    }
  });

  it('gives the new customer the payment time as the time of the first click and of the first purchase', async () => {
    const { brand } = await scene();
    const paidAt = day(-20).toISOString();
    const { customer } = await soldWith(brand, { occurred_at: paidAt });
    expect(customer).toMatchObject({ first_click_at: paidAt, first_purchase_at: paidAt });
  });

  it('creates one customer for several parallel sales with the same customer key', async () => {
    const { brand } = await scene();
    const ids = [fresh(), fresh(), fresh(), fresh()];
    const replies = await Promise.all(ids.map((id) => sell(brand, { transaction_id: id, customer_key: 'raced' })));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const sales = await Promise.all(ids.map((id) => brand.owner.get(`${brand.path}/sales/${id}`)));
    const customers = new Set(sales.map(({ body }) => body.data.customer.click_id));
    expect(customers.size).toBe(1);
    expect(sales.filter(({ body }) => body.data.attribution.resolved_by === 'code')).toHaveLength(1);
  });
});

describe('a coupon code has no effect if it', () => {
  const notFound = { code: 'invalid_request', message: 'Customer not found. Provide customer_key or click_id.' };

  it.each(['NEVER', '', '  ', 'x', 7, true, {}, ['SAVE10'], 'SAVE10;', 'x'.repeat(300), null])(
    'has the value %j',
    async (sent) => {
      const { brand } = await scene();
      const { status, body } = await sell(brand, { coupon_code: sent });
      expect([status, body.error]).toMatchObject([400, notFound]);
      const named = await sell(brand, { coupon_code: sent, customer_key: 'nobody' });
      expect(named.body.error.code).toBe('no_attribution');
    },
  );

  it('is disabled, belongs to a removed partner, or belongs to another program', async () => {
    const { brand, cleo } = await scene();
    const other = await ownedBrand(world);
    expect((await sell(other, {})).body.error).toMatchObject(notFound);
    await brand.owner.patch(`${brand.path}/codes/SAVE10`, { status: 'disabled' });
    expect((await sell(brand, {})).body.error).toMatchObject(notFound);
    await brand.owner.patch(`${brand.path}/codes/SAVE10`, { status: 'active' });
    await brand.owner.patch(`${brand.path}/partners/${cleo.partner.id}`, { status: 'removed' });
    expect((await sell(brand, {})).body.error).toMatchObject(notFound);
    await brand.owner.patch(`${brand.path}/partners/${cleo.partner.id}`, { status: 'active' });
    expect((await sell(brand, {})).status).toBe(200);
  });

  it('is disabled: the sale belongs to the link’s partner, and still shows the code', async () => {
    const { brand } = await scene(codeFirst);
    await brand.owner.patch(`${brand.path}/codes/SAVE10`, { status: 'disabled' });
    const clickId = await clicked(brand);
    expect(await outcome(brand, { click_id: clickId })).toEqual(['Ana', 'click_id', null, 'SAVE10']);
  });

  it('is sent with a test sale, for which no code is looked up', async () => {
    const { brand } = await scene();
    const id = fresh();
    await sell(brand, { transaction_id: id, additional_data: { test_mode: true } });
    const { body } = await brand.owner.get(`${brand.path}/sales/${id}`);
    expect(body.data).toMatchObject({ sale: { is_test: true, code: null }, customer: null, commission: null });
  });
});

it('a coupon code is recognised in upper and lower case and with spaces around it', async () => {
  const { brand } = await scene();
  expect(await outcome(brand, { coupon_code: ' save10\n' })).toEqual(['Cleo', 'code', null, 'SAVE10']);
});

describe('a sale with a coupon code, by a customer who came through a link,', () => {
  it('belongs to the link’s partner with link_first, and the sale records the code’s partner as overruled', async () => {
    const { brand, cleo } = await scene();
    const { attribution, sale: recorded } = await soldWith(brand, { click_id: await clicked(brand) });
    expect(recorded.code).toBe('SAVE10');
    expect(attribution).toMatchObject({
      resolved_by: 'click_id',
      partner: { name: 'Ana', short_link: brand.shortLink },
      overruled: { partner: { id: cleo.partner.id, name: 'Cleo' }, by: 'code' },
    });
    expect(attribution.text).toMatch(
      / The payment also carried a code of Cleo, which did not count: the customer was another partner’s already\.$/,
    );
  });

  it('belongs to the code’s partner with code_first, and the customer keeps the clicks and the lead', async () => {
    const { brand, cleo } = await scene(codeFirst);
    const clickId = await signedUp(brand, 'user_1');
    const { attribution, customer, clicks, window, commission } = await soldWith(brand, { customer_key: 'user_1' });
    expect(attribution).toEqual({
      resolved_by: 'code',
      identifier: 'SAVE10',
      partner: { id: cleo.partner.id, name: 'Cleo', short_link: null },
      overruled: { partner: { id: brand.partner.id, name: 'Ana' }, by: 'customer_key' },
      text: 'Found by code SAVE10. It is a code of Cleo. Without the code, Ana would have got the sale, by the customer key.',
    });
    expect(customer).toMatchObject({ click_id: clickId, customer_key: 'user_1', source: 'click', code: 'SAVE10' });
    expect(clicks).toMatchObject([{ short_link: brand.shortLink, partner_name: 'Ana', first: true }]);
    expect(window).toMatchObject({ checked: false, reason: 'brought_by_code' });
    expect(commission.partner_name).toBe('Cleo');
    const story = (await brand.owner.get(`${brand.path}/customers/${clickId}`)).body.data;
    expect(story.customer).toMatchObject({ partner_name: 'Cleo', short_link: brand.shortLink, code: 'SAVE10' });
    expect(story.clicks).toMatchObject([{ partner_name: 'Ana' }]);
    expect(story.lead).toMatchObject({ state: 'settled' });
    // The key now finds the customer under the code's partner.
    expect(await outcome(brand, { customer_key: 'user_1', coupon_code: undefined })).toEqual([
      'Cleo',
      'customer_key',
      null,
      null,
    ]);
  });

  it('stores the customer key that was sent with the click id, with code_first', async () => {
    const { brand } = await scene(codeFirst);
    const clickId = await clicked(brand);
    const { customer } = await soldWith(brand, { click_id: clickId, customer_key: 'user_1' });
    expect(customer).toMatchObject({ click_id: clickId, customer_key: 'user_1' });
    const later = { customer_key: 'user_1', coupon_code: undefined };
    expect(await outcome(brand, later)).toEqual(['Cleo', 'customer_key', null, null]);
  });

  it.each(['link_first', 'code_first'] as const)(
    'belongs, with %s, to the customer’s partner if the customer has bought before',
    async (codePrecedence) => {
      const { brand } = await scene({ codePrecedence });
      await signedUp(brand, 'user_1');
      await sold(brand, { transaction_id: fresh(), customer_key: 'user_1' });
      expect(await outcome(brand, { customer_key: 'user_1' })).toEqual(['Ana', 'customer_key', 'Cleo', 'SAVE10']);
    },
  );

  it.each(['link_first', 'code_first'] as const)(
    'belongs, with %s, to the code’s partner if the click is outside the attribution window',
    async (codePrecedence) => {
      const { brand } = await scene({ codePrecedence });
      const clickId = await clicked(brand);
      expect(await outcome(brand, { click_id: clickId }, day(61))).toEqual(['Cleo', 'code', null, 'SAVE10']);
      const { body } = await brand.owner.get(`${brand.path}/customers/${clickId}`);
      expect(body.data).toMatchObject({
        customer: { partner_name: 'Cleo', status: 'conversion' },
        clicks: [{ partner_name: 'Ana' }],
      });
      // A sale 140 days later is not checked, either.
      expect(await outcome(brand, { click_id: clickId, coupon_code: undefined }, day(200))).toEqual([
        'Cleo',
        'click_id',
        null,
        null,
      ]);
    },
  );

  it('belongs to no partner if the click is outside the attribution window and the code is unknown', async () => {
    const { brand } = await scene();
    const clickId = await clicked(brand);
    const { body } = await sell(brand, { click_id: clickId, coupon_code: 'NEVER' }, day(61));
    expect(body).toMatchObject({ attributed: false, reason: 'attribution_window_expired' });
  });

  it('overrules no other partner if link and code belong to the same partner', async () => {
    const { brand } = await scene(codeFirst);
    await givenCode(world, brand, { code: 'ANA10' });
    const clickId = await clicked(brand);
    expect(await outcome(brand, { click_id: clickId, coupon_code: 'ana10' })).toEqual(['Ana', 'code', null, 'ANA10']);
  });

  it('fails with link_first if the link’s partner was removed, and belongs to the code’s partner with code_first', async () => {
    const { brand } = await scene();
    const clickId = await clicked(brand);
    await brand.owner.patch(`${brand.path}/partners/${brand.partner.id}`, { status: 'removed' });
    expect((await sell(brand, { click_id: clickId })).body.error.message).toBe(
      'No partner-program relationship found for this customer',
    );
    await changeProgram(world, brand, codeFirst);
    expect(await outcome(brand, { click_id: clickId })).toEqual(['Cleo', 'code', 'Ana', 'SAVE10']);
  });

  it('belongs to the code’s partner, with code_first, if the operator unlinked the customer from the former partner', async () => {
    const { brand } = await scene(codeFirst);
    const clickId = await clicked(brand);
    await unlinkPartner(world, brand, clickId);
    expect(await outcome(brand, { click_id: clickId })).toEqual(['Cleo', 'code', null, 'SAVE10']);
  });

  it('moves a customer without purchases to another partner only once, even if several such sales arrive in parallel', async () => {
    const { brand } = await scene(codeFirst);
    const dora = await anotherPartner(world, brand, 'Dora');
    await givenCode(world, dora, { code: 'DORA10' });
    const clickId = await clicked(brand);
    const codes = ['SAVE10', 'DORA10', 'SAVE10', 'DORA10'];
    const replies = await Promise.all(codes.map((code) => sell(brand, { click_id: clickId, coupon_code: code })));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const { body } = await brand.owner.get(`${brand.path}/customers/${clickId}`);
    const partners = new Set(body.data.commissions.map(({ partner_name: name }: { partner_name: string }) => name));
    expect(partners.size).toBe(1);
    expect(body.data.sales).toHaveLength(4);
  });
});

describe('leads of a customer whom a sale with a coupon code created', () => {
  it('are refused, because the customer has already bought', async () => {
    const { brand } = await scene();
    await soldWith(brand, { customer_key: 'user_1' });
    const { body } = await send(lead, { key: brand.key, body: { customer_key: 'user_1' } });
    expect(body.error.message).toBe('Customer status cannot be updated to lead. Current status: conversion');
  });
});

describe('the counters of codes, partners and links', () => {
  it('count each payment with a code as its redemption, and as a sale of the code’s partner only if it belongs to that partner', async () => {
    const { brand, cleo } = await scene();
    await soldWith(brand);
    await soldWith(brand, { coupon_code: 'Save10' });
    await soldWith(brand, { click_id: await clicked(brand) });
    await sell(brand, { additional_data: { test_mode: true } });
    await counted(world);
    const { body } = await brand.owner.get(`${brand.path}/codes`);
    expect(body.data).toMatchObject([{ code: 'SAVE10', redemptions: 3, sales: 2 }]);
    const partner = (await brand.owner.get(`${brand.path}/partners/${cleo.partner.id}`)).body.data;
    expect(partner).toMatchObject({ clicks: 0, sales: 2, amounts: { USD: { revenue_cents: 9800 } } });
    const link = (await brand.owner.get(`${brand.path}/links/${brand.shortLink}`)).body.data;
    expect(link).toMatchObject({ clicks: 1, sales: 1 });
    const clicks = (await brand.owner.get(`${brand.path}/events?type=click`)).body.data;
    expect(clicks).toHaveLength(1);
  });

  it('keep the clicks and leads of the former partner and link when a sale with a code moves the customer', async () => {
    const { brand, cleo } = await scene(codeFirst);
    const clickId = await clicked(brand);
    await settledLead(brand, { click_id: clickId });
    await counted(world);
    await soldWith(brand, { click_id: clickId });
    await counted(world);
    const ana = (await brand.owner.get(`${brand.path}/partners/${brand.partner.id}`)).body.data;
    expect(ana).toMatchObject({ clicks: 1, leads: 1, sales: 0, amounts: {} });
    const link = (await brand.owner.get(`${brand.path}/links/${brand.shortLink}`)).body.data;
    expect(link).toMatchObject({ clicks: 1, leads: 1, sales: 0 });
    const other = (await brand.owner.get(`${brand.path}/partners/${cleo.partner.id}`)).body.data;
    expect(other).toMatchObject({ clicks: 0, leads: 0, sales: 1 });
    const events = (await brand.owner.get(`${brand.path}/events`)).body.data;
    expect(events.map(({ type, partner_name: name, code }: Record<string, unknown>) => [type, name, code])).toEqual(
      expect.arrayContaining([
        ['sale', 'Cleo', 'SAVE10'],
        ['lead', 'Ana', undefined],
        ['click', 'Ana', undefined],
      ]),
    );
  });
});

describe('the export of commissions', () => {
  it('contains the coupon code of each payment', async () => {
    const { brand } = await scene();
    await soldWith(brand);
    await sold(brand, { transaction_id: fresh(), click_id: await clicked(brand) }, { at: day(1) });
    const { body } = await brand.owner.get(`${brand.path}/commissions.csv`, { at: day(1) });
    const lines = String(body).trim().split('\r\n');
    const column = lines[0]!.split(',').indexOf('code');
    expect(lines.slice(1).map((line) => line.split(',')[column])).toEqual(['', 'SAVE10']);
  });
});

it('a sale with a code by a customer with a provisional lead changes all the customer’s items or none', async () => {
  const { brand } = await scene(codeFirst);
  const clickId = await clicked(brand);
  await browserLead({ click_id: clickId, customer_key: 'claimed' });
  expect((await soldWith(brand, { click_id: clickId, customer_key: 'claimed' })).attribution.resolved_by).toBe('code');
  await expectNothingHalfWritten(world);
});
