import { beforeAll, describe, expect, it } from 'vitest';
import { handler as lead } from '#functions/track/lead.ts';
import { handler as refund } from '#functions/track/refund.ts';
import { handler as sale } from '#functions/track/sale.ts';
import { codedError, platformError, refusal } from '#test/support/servers/errors.ts';
import { clicked, signedUp, sold } from '#test/support/payments/lives/journeys.ts';
import { send } from '#test/support/callers/request.ts';
import { type Brand } from '#test/support/programs/world.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// A misspelt field is refused, because ignoring it would change the recorded data.

const world = openedWorld();
let brand: Brand;
beforeAll(async () => {
  brand = await world.brand();
  await signedUp(brand, 'buyer');
});

const text = (name: string, meant: string) => `Unknown field ${name}. Did you mean ${meant}?`;
const invalid = (name: string, meant: string) => codedError(400, 'invalid_request', text(name, meant));
const order = { transaction_id: 'misspelt', amount_cents: 4900, customer_key: 'buyer' };
const sendSale = (body: unknown) => send(sale, { key: brand.key, body });

describe('a sale with a misspelt field', () => {
  it.each([
    ['curency', 'currency', { curency: 'EUR' }],
    ['Currency', 'currency', { Currency: 'EUR' }],
    ['taxCents', 'tax_cents', { taxCents: 100 }],
    ['tax', 'tax_cents', { tax: 100 }],
    ['coupon', 'coupon_code', { coupon: 'ANA10' }],
    ['recurring', 'is_recurring', { recurring: true }],
    ['occured_at', 'occurred_at', { occured_at: '2026-11-20T15:00:00Z' }],
    ['additional_data.testMode', 'additional_data.test_mode', { additional_data: { testMode: true } }],
    ['clickid', 'click_id', { clickid: 'clk_1' }],
  ])('named %s instead of %s is refused and stores nothing', async (name, meant, more) => {
    const { status, body } = await sendSale({ ...order, ...more });
    expect({ status, body }).toEqual({ status: 400, body: invalid(name, meant) });
    expect(await world.items('SALE#misspelt')).toEqual([]);
  });

  it.each([
    ['amount', 'amount_cents', { transaction_id: 't', amount: 49 }],
    ['customer_id', 'customer_key', { transaction_id: 't', amount_cents: 1, customer_id: 'buyer' }],
    ['invoice_id', 'transaction_id', { invoice_id: 'in_1', amount_cents: 1 }],
  ])(
    'is refused if it has %s instead of the required %s, and the message contains the right name',
    async (name, meant, body) => {
      expect((await sendSale(body)).body).toEqual(invalid(name, meant));
    },
  );

  it('is refused in test mode as well', async () => {
    const body = { amount_cents: 1, additional_data: { test_mode: true, program_ids: 1 } };
    expect((await sendSale(body)).body).toEqual(invalid('additional_data.program_ids', 'additional_data.program_id'));
  });

  it('is refused for its first misspelt name in the order of the request, before other fields are checked', async () => {
    const body = '{"transaction_id":7,"additional_data":{"testmode":true},"curency":"EUR","amount":1}';
    expect((await sendSale(body)).body).toEqual(invalid('additional_data.testmode', 'additional_data.test_mode'));
    expect((await sendSale('{"transaction_id":7,"curency":"EUR","amount":1}')).body).toEqual(
      invalid('curency', 'currency'),
    );
  });

  it('is accepted if the name is similar to no field, is a field of another call, or if the right name is sent as well', async () => {
    const ignored = { affiliateNote: 'x', email: 'jo@example.com', program_id: 1, curency: null, Currency: 'GBP' };
    const body = { ...order, transaction_id: 'kept', currency: 'usd', ...ignored, additional_data: { plan: 'pro' } };
    expect(await sold(brand, body)).toMatchObject({ success: true });
  });

  it('is refused with a message that contains only the beginning of a very long name', async () => {
    const reply = await sendSale({ ...order, [`curr${'_'.repeat(1_000)}ency`]: 'EUR' });
    expect(reply.body).toEqual(invalid(`curr${'_'.repeat(251)}`, 'currency'));
  });
});

describe('a refund with a misspelt field', () => {
  it.each(['amount', 'amount_cents', 'refund_amount', 'amount_refunded', 'refundAmountCents', 'refund_amount_cent'])(
    'named %s is refused and deducts nothing',
    async (name) => {
      const id = `refunded_${name}`;
      await sold(brand, { transaction_id: id, customer_key: 'buyer' });
      const before = await world.items(`SALE#${id}`);
      const { status, body } = await send(refund, { key: brand.key, body: { transaction_id: id, [name]: 100 } });
      expect({ status, body }).toEqual({ status: 400, body: invalid(name, 'refund_amount_cents') });
      expect(await world.items(`SALE#${id}`)).toEqual(before);
    },
  );

  it('is accepted if the name is a field of a sale', async () => {
    await sold(brand, { transaction_id: 'refunded', customer_key: 'buyer' });
    const body = { transaction_id: 'refunded', currency: 'USD', customer_key: 'buyer', note: 'x' };
    expect((await send(refund, { key: brand.key, body })).status).toBe(200);
  });
});

describe('a lead with a misspelt field', () => {
  it.each([
    ['clickId', 'click_id'],
    ['customer_id', 'customer_key'],
    ['e-mail', 'email'],
  ])('is refused if a server sends it with the program key: %s instead of %s', async (name, meant) => {
    const click_id = await clicked(brand);
    const before = await world.items(`CUSTOMER#${click_id}`);
    const named = name === 'clickId' ? { clickId: click_id } : { click_id, [name]: 'x' };
    const { status, body } = await send(lead, { key: brand.key, body: named });
    expect({ status, body }).toEqual(refusal(400, text(name, meant)));
    expect(await world.items(`CUSTOMER#${click_id}`)).toEqual(before);
  });

  it('is refused, if it is within `additional_data`, with the whole path in the message', async () => {
    const body = { customer_key: 'x', additional_data: { plan: 'pro', eventName: 'signup' } };
    expect((await send(lead, { key: brand.key, body })).body).toEqual(
      platformError(400, text('additional_data.eventName', 'additional_data.event_name')),
    );
  });

  it('is refused because of the program key if that is unknown', async () => {
    expect((await send(lead, { key: 'aff_1_unknown', body: { clickId: 'x' } })).body).toEqual(
      platformError(401, 'Invalid API token'),
    );
  });

  it.each([undefined, ''])('is accepted if it comes from a browser, without a program key', async (key) => {
    const click_id = await clicked(brand);
    const body = { click_id, clickid: 'x', customer_id: 'x', additional_data: { testMode: true } };
    expect((await send(lead, { ...(key !== undefined && { key }), body })).status).toBe(200);
  });
});
