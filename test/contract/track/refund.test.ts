import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { handler } from '#functions/track/refund.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { codedError } from '#test/support/servers/errors.ts';
import { countedHeaders } from '#test/support/callers/headers.ts';
import { soldTo } from '#test/support/payments/lives/journeys.ts';
import { send } from '#test/support/callers/request.ts';
import { type Brand } from '#test/support/programs/world.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// The messages of 400 and 404.

const invalid = (message: string) => codedError(400, 'invalid_request', message);
const idRequired = invalid('transaction_id is required');
const reasonUnknown = invalid('reason must be refund or chargeback');
const amountWrong = invalid('refund_amount_cents must be a positive integer');
const refundIdWrong = invalid('refund_id must be a string of 1 to 255 characters');
const refundIdAlone = invalid('refund_id needs refund_amount_cents');
const correctionWrong = invalid('correction must be a boolean');
const correctionAlone = invalid('correction needs refund_amount_cents');
const saleNotFound = codedError(404, 'not_found', 'Sale not found for transaction_id');

const world = openedWorld();
let brand: Brand;
beforeAll(async () => {
  brand = await world.brand();
  await soldTo(brand, 'u1', { transaction_id: 'in_1' });
});

/** The reply to a refund, and whether the sale is unchanged. */
async function answer(body: unknown, key = brand.key) {
  const before = await world.items('SALE#in_1');
  const reply = await send(handler, { key, body });
  const isUntouched = isDeepStrictEqual(await world.items('SALE#in_1'), before);
  return { status: reply.status, body: reply.body, isUntouched };
}

const refused = (body: { error: { status: number } }) => ({ status: body.error.status, body, isUntouched: true });

describe('a refund is refused with 400 invalid_request for', () => {
  it.each([undefined, null, '', ' \t\n', 7, true, {}, ['in_1']])('the transaction_id %j', async (id) => {
    expect(await answer({ transaction_id: id })).toEqual(refused(idRequired));
  });

  it.each(['', 'Refund', 'fraud', ' refund', 7, true, {}, ['refund']])('the reason %j', async (reason) => {
    expect(await answer({ transaction_id: 'in_1', reason })).toEqual(refused(reasonUnknown));
  });

  it.each([0, '100', '', -1, 0.5, 2 ** 53, 1e300, true, {}, [100]])('the refund_amount_cents %j', async (amount) => {
    expect(await answer({ transaction_id: 'in_1', refund_amount_cents: amount })).toEqual(refused(amountWrong));
  });

  it.each(['100', '', -1, 0.5, 2 ** 53, true])('the refund_amount_cents %j, sent as a correction', async (amount) => {
    const body = { transaction_id: 'in_1', refund_amount_cents: amount, correction: true };
    expect(await answer(body)).toEqual(refused(amountWrong));
  });

  it.each([
    [4901, {}],
    [Number.MAX_SAFE_INTEGER, {}],
    [4901, { refund_id: 're_1' }],
    [4901, { correction: true }],
  ])('the refund_amount_cents %d, which is above the amount of the sale, with %j', async (amount, fields) => {
    const message = invalid('refund_amount_cents must be at most the amount of the sale, 4900');
    expect(await answer({ transaction_id: 'in_1', refund_amount_cents: amount, ...fields })).toEqual(refused(message));
  });

  it.each(['', 7, true, {}, ['re_1'], 'x'.repeat(256)])('the refund_id %j', async (refundId) => {
    const body = { transaction_id: 'in_1', refund_amount_cents: 100, refund_id: refundId };
    expect(await answer(body)).toEqual(refused(refundIdWrong));
  });

  it('a refund_id without refund_amount_cents', async () => {
    expect(await answer({ transaction_id: 'in_1', refund_id: 're_1' })).toEqual(refused(refundIdAlone));
  });

  it.each(['true', 'yes', 0, 1, {}, [true]])('the correction %j', async (correction) => {
    const body = { transaction_id: 'in_1', refund_amount_cents: 100, correction };
    expect(await answer(body)).toEqual(refused(correctionWrong));
  });

  it('a correction without refund_amount_cents', async () => {
    expect(await answer({ transaction_id: 'in_1', correction: true })).toEqual(refused(correctionAlone));
  });

  it('another amount for a refund_id that is already recorded, unless it is a correction', async () => {
    const own = await world.brand();
    await soldTo(own, 'u1', { transaction_id: 'told otherwise' });
    const body = { transaction_id: 'told otherwise', refund_id: 're_1', refund_amount_cents: 100 };
    await send(handler, { key: own.key, body });
    const before = await world.items('SALE#told otherwise');
    const reply = await send(handler, { key: own.key, body: { ...body, refund_amount_cents: 101 } });
    const message = 'refund_id re_1 is recorded with 100. Send correction: true to change it.';
    expect(reply).toEqual({ status: 400, headers: countedHeaders(120, 3), body: invalid(message) });
    expect(await world.items('SALE#told otherwise')).toEqual(before);
  });
});

describe('a refund is refused with 404 not_found for', () => {
  it.each([
    ['an unknown id', 'never'],
    ['an id in another case', 'IN_1'],
    ['an id too long for any sale', 'x'.repeat(256)],
    ['an id too long for any key of the table', 'x'.repeat(10_000)],
    ['an id with a control character', 'in_1\u0000'],
    ['an id with a line break inside', 'in\n1'],
    ['an id with an unpaired surrogate', '\ud800'],
  ])('%s', async (_, id) => {
    expect(await answer({ transaction_id: id })).toEqual(refused(saleNotFound));
  });

  it('the sale of another program', async () => {
    const other = await world.brand();
    expect(await answer({ transaction_id: 'in_1' }, other.key)).toEqual(refused(saleNotFound));
  });

  it('a sale that was never recorded', async () => {
    const { key } = await world.brand();
    const reply = await send(handler, { key, body: { transaction_id: 'never' } });
    expect(reply).toEqual({ status: 404, headers: countedHeaders(120), body: saleNotFound });
  });
});

describe('a refund with two errors reports', () => {
  it.each([
    ['the key before the body', 'nobody', '{', codedError(401, 'unauthorized', 'Invalid API token')],
    ['the body before its fields', '', '{"transaction_id":7', invalid('Invalid JSON body')],
    ['transaction_id before reason', '', { transaction_id: '', reason: 'x' }, idRequired],
    ['transaction_id before the amount', '', { refund_amount_cents: -1 }, idRequired],
    ['reason before the amount', '', { transaction_id: 'in_1', reason: 'x', refund_amount_cents: -1 }, reasonUnknown],
    ['reason before the sale', '', { transaction_id: 'never', reason: 'x' }, reasonUnknown],
    ['the amount before the sale', '', { transaction_id: 'never', refund_amount_cents: -1 }, amountWrong],
    ['the amount before refund_id', '', { transaction_id: 'in_1', refund_amount_cents: 0, refund_id: '' }, amountWrong],
    ['refund_id before the amount it needs', '', { transaction_id: 'in_1', refund_id: '' }, refundIdWrong],
    [
      'the missing amount before correction',
      '',
      { transaction_id: 'in_1', refund_id: 'r', correction: 1 },
      refundIdAlone,
    ],
    ['refund_id before correction', '', { transaction_id: 'in_1', refund_id: 7, correction: 1 }, refundIdWrong],
    ['correction before the sale', '', { transaction_id: 'never', correction: 1 }, correctionWrong],
    ['correction’s amount before the sale', '', { transaction_id: 'never', correction: true }, correctionAlone],
    [
      'the sale before the upper limit of the amount',
      '',
      { transaction_id: 'never', refund_amount_cents: 2 ** 52 },
      saleNotFound,
    ],
  ])('%s', async (_, wrongKey, body, error) => {
    expect(await answer(body, wrongKey || brand.key)).toEqual(refused(error));
  });
});

it.each([
  ['the reason null', { reason: null }],
  ['a number as refund_reason', { refund_reason: 7 }],
  ['a very long refund_reason', { refund_reason: 'x'.repeat(100_000) }],
  ['an unpaired surrogate in refund_reason', { refund_reason: '\ud800' }],
  ['test_mode, which refunds ignore,', { additional_data: { test_mode: true } }],
  ['null as refund_id and correction', { refund_id: null, correction: null }],
  ['the correction false', { correction: false }],
  ['unknown fields', { note: 7, currency: 'GBP' }],
])('a refund with %s is accepted', async (name, fields) => {
  const own = await world.brand();
  await soldTo(own, 'u1', { transaction_id: name });
  const { body } = await send(handler, { key: own.key, body: { transaction_id: name, ...fields } });
  expect(body).toMatchObject({ status: 'reversed', refunded_amount_cents: 4900 });
});

it('a refund is answered 500 “Refund tracking failed” and stores nothing if a call to the table fails', async () => {
  const own = await world.brand();
  await soldTo(own, 'u1', { transaction_id: 'spoiled' });
  await world.deps().table.update(keys.commission('spoiled'), { set: { amountCents: undefined } });
  const before = await world.items('SALE#spoiled');
  const reply = await send(handler, { key: own.key, body: { transaction_id: 'spoiled' } });
  expect(reply).toEqual({
    status: 500,
    headers: countedHeaders(120, 2),
    body: codedError(500, 'internal_error', 'Refund tracking failed'),
  });
  expect(await world.items('SALE#spoiled')).toEqual(before);
});
