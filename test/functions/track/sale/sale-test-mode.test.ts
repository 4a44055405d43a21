import { describe, expect, it } from 'vitest';
import { handler as refund } from '#functions/track/refund.ts';
import { handler } from '#functions/track/sale.ts';
import { codedError } from '#test/support/servers/errors.ts';
import { countedHeaders } from '#test/support/callers/headers.ts';
import { removePartner, signedUp } from '#test/support/payments/lives/journeys.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import type { Brand } from '#test/support/programs/world.ts';

const world = openedWorld();

const testMode = { test_mode: true };
const sell = (brand: Brand, body: object, at = NOW) =>
  send(handler, { key: brand.key, body: { amount_cents: 4900, additional_data: testMode, ...body }, at });

describe('a sale in test mode', () => {
  it('is stored and marked as a test, without commission and fee, and changes no customer', async () => {
    const brand = await world.brand();
    const clickId = await signedUp(brand, 'test_u1');
    const before = [await world.items(`CUSTOMER#${clickId}`), await world.items('KEY#test_u1')];
    const reply = await sell(brand, { transaction_id: 'test_1', customer_key: 'test_u1', click_id: clickId });
    const { eventId } = reply.body.data;
    expect(eventId).toBeTypeOf('number');
    expect(reply).toEqual({
      status: 200,
      headers: countedHeaders(120),
      body: {
        success: true,
        message: 'Test sale event tracked successfully',
        data: { eventId, programId: brand.program.id, test_mode: true },
      },
    });
    const at = NOW.toISOString();
    expect(await world.items('SALE#test_1')).toEqual([
      {
        pk: 'SALE#test_1',
        sk: 'SALE',
        gsi1pk: `PROGRAM#${brand.program.id}#KEYED_TEST_EVENTS#sale`,
        gsi1sk: `${at}#${eventId}`,
        id: eventId,
        programId: brand.program.id,
        source: 'api',
        isTest: true,
        keyed: true,
        transactionId: 'test_1',
        amountCents: 4900,
        currency: 'USD',
        saleType: 'payment',
        isRecurring: false,
        occurredAt: at,
        createdAt: at,
        commissionState: 'test',
        refundedCents: 0,
        claimed: { customerKey: 'test_u1', clickId },
      },
    ]);
    expect([await world.items(`CUSTOMER#${clickId}`), await world.items('KEY#test_u1')]).toEqual(before);
  });

  it.each([
    ['unknown identifiers', { customer_key: 'nobody', click_id: 'clk_nobody' }],
    ['an identifier that matches nothing', { customer_key: 'x'.repeat(256) }],
    ['no identifier', {}],
  ])('is stored even if no customer matches: %s', async (name, body) => {
    const brand = await world.brand();
    await removePartner(world, brand);
    expect((await sell(brand, { transaction_id: `needless ${name}`, ...body })).status).toBe(200);
  });

  it('belongs to the program of the program key, and ignores the program_id in the request', async () => {
    const [brand, other] = [await world.brand(), await world.brand()];
    const additional = { ...testMode, program_id: other.program.id };
    const reply = await sell(brand, { transaction_id: 'mine', additional_data: additional });
    expect(reply.body.data.programId).toBe(brand.program.id);
  });
});

describe('the transaction_id that a test sale gets if it sends none', () => {
  it.each([
    ['absent', {}],
    ['null', { transaction_id: null }],
  ])('contains the time of the request (transaction_id is %s)', async (name, body) => {
    const at = new Date(NOW.getTime() + (name === 'null' ? 1 : 2));
    const reply = await sell(await world.brand(), body, at);
    expect(await world.items(`SALE#test_txn_${at.getTime()}`)).toMatchObject([{ id: reply.body.data.eventId }]);
  });

  it('ends with a number if another test sale was sent at that time, before it or in parallel with it', async () => {
    const at = new Date(NOW.getTime() + 5_000);
    const stem = `test_txn_${at.getTime()}`;
    const brand = await world.brand();
    await sell(brand, {}, at);
    await sell(brand, {}, at);
    expect(await world.items(`SALE#${stem}_1`)).toHaveLength(1);

    const replies = await Promise.all(Array.from({ length: 8 }, () => sell(brand, {}, at)));
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    const stored = await Promise.all([2, 3, 4, 5, 6, 7, 8, 9].map((n) => world.items(`SALE#${stem}_${n}`)));
    const eventIds = replies.map(({ body }) => body.data.eventId as number);
    expect(new Set(stored.flat().map(({ id }) => id))).toEqual(new Set(eventIds));
    expect(stored.flat()).toHaveLength(8);
  });
});

it('a refund of a test sale has no commission to lower', async () => {
  const brand = await world.brand();
  const { body } = await sell(brand, { transaction_id: 'test_refund' });
  const refunded = await send(refund, { key: brand.key, body: { transaction_id: 'test_refund' } });
  expect(refunded.body).toEqual({
    success: true,
    status: 'no_commission',
    sale_id: body.data.eventId,
    commission_id: null,
    message: 'Sale has no commission to reverse',
  });
});

it('a test sale without a program key is refused', async () => {
  const reply = await send(handler, { key: 'nobody', body: { amount_cents: 1, additional_data: testMode } });
  expect(reply.status).toBe(401);
  expect(reply.body).toEqual(codedError(401, 'unauthorized', 'Invalid API token'));
});
