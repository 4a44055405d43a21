import { describe, expect, it } from 'vitest';
import { handler as click } from '#functions/track/click.ts';
import { handler as lead } from '#functions/track/lead.ts';
import { handler as refund } from '#functions/track/refund.ts';
import { handler as sale } from '#functions/track/sale.ts';
import { generateProgramKey } from '#lib/service/programs/keys/generate-program-key.ts';
import { markKeyForRotation } from '#lib/service/programs/keys/mark-key-for-rotation.ts';
import { codedError, platformError } from '#test/support/servers/errors.ts';
import { countedHeaders } from '#test/support/callers/headers.ts';
import { changeProgram, clicked, signedUp, soldTo } from '#test/support/payments/lives/journeys.ts';
import { send } from '#test/support/callers/request.ts';
import { DEADLINE, markedBrand, retirement, rotationHeaders, warnings } from '#test/support/programs/rotation.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// Mandatory key rotation: a marked key causes a warning until its deadline, and is refused from then on.

const MARKED_AT = new Date('2026-11-20T14:30:00.999Z');
const JUST_BEFORE = new Date(DEADLINE.getTime() - 1);

const world = openedWorld();

describe('until its deadline a key marked for rotation is accepted, with rotation headers and a warning in', () => {
  it.each([
    ['the time of the mark', MARKED_AT],
    ['a millisecond before the deadline', JUST_BEFORE],
  ])('the reply 200 to a sale at %s', async (name, at) => {
    const brand = await markedBrand(world);
    await signedUp(brand, name, { at });
    const body = { transaction_id: name, amount_cents: 4900, customer_key: name };
    const reply = await send(sale, { key: brand.key, body, at });
    expect(reply).toEqual({
      status: 200,
      headers: { ...countedHeaders(120, 1, at), ...rotationHeaders },
      body: {
        success: true,
        sale_id: reply.body.sale_id,
        commission_id: reply.body.commission_id,
        attributed: true,
        is_recurring: false,
        message: 'Sale tracked successfully',
        warnings,
      },
    });
  });

  it('the replies 200 to a refund, a click and a lead', async () => {
    const brand = await markedBrand(world);
    const { sale_id: saleId } = await soldTo(brand, 'u1', { transaction_id: 'refunded' });
    const clickId = await clicked(brand);
    const replies = [
      await send(refund, { key: brand.key, body: { transaction_id: 'refunded' } }),
      await send(click, { key: brand.key, body: { affiliate_url: brand.affiliateUrl } }),
      await send(lead, { key: brand.key, body: { click_id: clickId } }),
    ];
    expect(replies[0]?.body).toMatchObject({ sale_id: saleId, status: 'reversed' });
    for (const { status, headers, body } of replies) {
      expect({ status, headers, warnings: body.warnings }).toMatchObject({
        status: 200,
        headers: rotationHeaders,
        warnings,
      });
    }
  });

  it('the reply 200 to a test sale, where the warning is next to `data`', async () => {
    const { key } = await markedBrand(world);
    const { body } = await send(sale, { key, body: { amount_cents: 1, additional_data: { test_mode: true } } });
    expect(Object.keys(body).toSorted()).toEqual(['data', 'message', 'success', 'warnings']);
    expect(body.warnings).toEqual(warnings);
  });

  it.each([
    [400, {}, codedError(400, 'invalid_request', 'transaction_id is required and must be a string')],
    [400, '{', codedError(400, 'invalid_request', 'Invalid JSON body')],
    [
      422,
      { transaction_id: 't', amount_cents: 1, currency: 'GBP' },
      codedError(422, 'unsupported_currency', 'currency GBP is not supported'),
    ],
  ])('the reply %i to a sale with the body %j', async (status, body, error) => {
    const { key } = await markedBrand(world);
    expect(await send(sale, { key, body })).toEqual({
      status,
      headers: { ...countedHeaders(120), ...rotationHeaders },
      body: { ...error, warnings },
    });
  });

  it('the replies 404 to a refund, 409 to a sale and 500 if a commission failed', async () => {
    const brand = await markedBrand(world);
    const { sale_id: saleId } = await soldTo(brand, 'u1', { transaction_id: 'twice' });
    const missing = await send(refund, { key: brand.key, body: { transaction_id: 'never' } });
    expect(missing).toMatchObject({ status: 404, headers: rotationHeaders });
    expect(missing.body).toEqual({
      ...codedError(404, 'not_found', 'Sale not found for transaction_id'),
      warnings,
    });
    const body = { transaction_id: 'twice', amount_cents: 1, customer_key: 'u1' };
    const duplicate = await send(sale, { key: brand.key, body });
    expect(duplicate).toMatchObject({ status: 409, headers: rotationHeaders });
    expect(duplicate.body).toEqual({
      ...codedError(409, 'duplicate_transaction', 'Duplicate transaction_id. This sale has already been recorded.', {
        sale_id: saleId,
        own: true,
      }),
      warnings,
    });
    await changeProgram(world, brand, { commissionRate: 0 });
    const failed = await send(sale, { key: brand.key, body: { ...body, transaction_id: 'failed' } });
    expect(failed).toMatchObject({ status: 500, headers: rotationHeaders });
    expect(failed.body).toEqual({ ...codedError(500, 'internal_error', 'Failed to create commission'), warnings });
  });

  it('the replies 400 to a click and to a lead', async () => {
    const { key } = await markedBrand(world);
    const clickReply = await send(click, { key, body: {} });
    expect(clickReply).toMatchObject({ status: 400, headers: rotationHeaders });
    expect(clickReply.body).toEqual({ ...platformError(400, 'affiliate_url is required'), warnings });
    const leadReply = await send(lead, { key, body: {} });
    expect(leadReply).toMatchObject({ status: 400, headers: rotationHeaders });
    expect(leadReply.body).toEqual({ ...platformError(400, 'click_id or customer_key is required'), warnings });
  });
});

describe('a retired key is refused with 401 from its deadline on', () => {
  const endpoints = [
    ['click', click, 60],
    ['lead', lead, 30],
    ['sale', sale, 120],
    ['refund', refund, 120],
  ] as const;
  const bodies: readonly (readonly [content: string, body: object | string])[] = [
    ['an empty object', {}],
    ['broken JSON', '{'],
    ['null', 'null'],
    ['more than 256 KiB', 'x'.repeat(300_000)],
    ['a test event', { additional_data: { test_mode: true } }],
  ];

  it.each(
    endpoints.flatMap(([name, handler, perMinute]) =>
      bodies.map(([content, body]) => ({ name, handler, perMinute, content, body })),
    ),
  )('by $name, before the body is read: $content', async ({ name, handler, perMinute, body }) => {
    const { key } = await markedBrand(world);
    const vary = name === 'click' || name === 'lead' ? { Vary: 'Origin' } : {};
    expect(await send(handler, { key, body, at: DEADLINE })).toEqual({
      status: 401,
      headers: { ...countedHeaders(perMinute, 1, DEADLINE), ...rotationHeaders, ...vary },
      body: retirement,
    });
  });

  it('and the refused request stores nothing', async () => {
    const brand = await markedBrand(world);
    const clickId = await signedUp(brand, 'retired');
    const before = await world.items(`CUSTOMER#${clickId}`);
    const body = { transaction_id: 'retired', amount_cents: 1, customer_key: 'retired', click_id: clickId };
    for (const handler of [sale, lead]) {
      expect((await send(handler, { key: brand.key, body, at: DEADLINE })).status).toBe(401);
    }
    expect(await world.items('SALE#retired')).toEqual([]);
    expect(await world.items(`CUSTOMER#${clickId}`)).toEqual(before);
  });

  it('at once if the deadline is already over when the key is marked', async () => {
    const brand = await world.brand();
    await markKeyForRotation(world.deps(), brand.program.id, new Date('2026-11-01T00:00:00.000Z'));
    const { status, headers, body } = await send(sale, { key: brand.key, body: {} });
    expect(status).toBe(401);
    expect(headers.Sunset).toBe('Sun, 01 Nov 2026 00:00:00 GMT');
    expect(body.error.message).toBe('This API key was retired on 2026-11-01.');
  });
});

describe('a new key, generated by an owner, is not marked for rotation', () => {
  it.each([
    ['while marked', JUST_BEFORE],
    ['after retirement', DEADLINE],
  ])('even if the former key was replaced %s', async (_, at) => {
    const brand = await markedBrand(world);
    const { key } = await generateProgramKey(world.deps(at), brand.program.id);
    const later = new Date('2027-01-01T00:00:00.000Z');
    expect(await send(sale, { key, body: {}, at: later })).toEqual({
      status: 400,
      headers: countedHeaders(120, 1, later),
      body: codedError(400, 'invalid_request', 'transaction_id is required and must be a string'),
    });
    // The old key is unknown now, so the reply has no sign of its mark.
    expect(await send(sale, { key: brand.key, body: {}, at: later })).toEqual({
      status: 401,
      headers: countedHeaders(120, 1, later),
      body: codedError(401, 'unauthorized', 'Invalid API token'),
    });
  });
});
