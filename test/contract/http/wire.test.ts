import { beforeAll, describe, expect, it } from 'vitest';
import { handler as notFound } from '#functions/not-found.ts';
import { handler as click } from '#functions/track/click.ts';
import { handler as lead } from '#functions/track/lead.ts';
import { handler as refund } from '#functions/track/refund.ts';
import { handler as sale } from '#functions/track/sale.ts';
import type { Handler } from '#lib/service/http/messages/handler.ts';
import { codedError, platformError } from '#test/support/servers/errors.ts';
import { countedHeaders, jsonHeaders } from '#test/support/callers/headers.ts';
import { signedUp, soldTo } from '#test/support/payments/lives/journeys.ts';
import { send } from '#test/support/callers/request.ts';
import { type Brand } from '#test/support/programs/world.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// Tests of properties that all routes have.

const world = openedWorld();
let brand: Brand;
beforeAll(async () => {});

const KIB = 1024;

/** The same function behind a gateway that passes the body in base64. */
const inBase64 =
  (handler: Handler): Handler =>
  (event, context) =>
    handler({ ...event, body: Buffer.from(event.body ?? '').toString('base64'), isBase64Encoded: true }, context);

const coded = (message: string) => codedError(400, 'invalid_request', message);
const plain = (message: string) => platformError(400, message);
const endpoints = [
  { name: 'click', handler: click, error: plain, emptyBody: 'affiliate_url is required', perMinute: 60 },
  { name: 'lead', handler: lead, error: plain, emptyBody: 'click_id or customer_key is required', perMinute: 30 },
  {
    name: 'sale',
    handler: sale,
    error: coded,
    emptyBody: 'transaction_id is required and must be a string',
    perMinute: 120,
  },
  { name: 'refund', handler: refund, error: coded, emptyBody: 'transaction_id is required', perMinute: 120 },
];

/** A body of exactly this many bytes without any field of a route. */
const bodyOf = (bytes: number) => `{"padding":"${'x'.repeat(bytes - '{"padding":""}'.length)}"}`;

const post = async (through: Handler, body: unknown) => {
  brand = await world.brand();
  return send(through, { key: brand.key, body });
};

for (const { name, handler, error, emptyBody, perMinute } of endpoints)
  describe(`the request body of ${name}`, { tags: name === 'sale' ? [] : ['deep'] }, () => {
    const vary = name === 'click' || name === 'lead' ? { Vary: 'Origin' } : {};
    const refusal = (message: string) => ({
      status: 400,
      headers: { ...countedHeaders(perMinute), ...vary },
      body: error(message),
    });

    // The parsing of the body is tested in test/service/http/messages/body.
    const bodies: readonly [string, string | undefined, string][] = [
      ['absent', undefined, emptyBody],
      [
        'an object of nulls',
        '{"affiliate_url":null,"transaction_id":null,"click_id":null,"customer_key":null}',
        emptyBody,
      ],
      ['an object of unknown fields', '{"__proto__":{"transaction_id":"x"},"constructor":1,"unknown":[]}', emptyBody],
      ['an object of exactly 256 KiB without the required fields', bodyOf(256 * KIB), emptyBody],
      [
        'a deeply nested object without the required fields',
        `{"deep":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
        emptyBody,
      ],
      ['broken JSON', '{"transaction_id":', 'Invalid JSON body'],
      ['an array with an object', '[{"transaction_id":"t"}]', 'Invalid JSON body'],
      ['one byte above 256 KiB', bodyOf(256 * KIB + 1), 'Request body too large'],
      [
        'above 256 KiB in bytes, but not in characters',
        `{"padding":"${'ü'.repeat(128 * KIB)}"}`,
        'Request body too large',
      ],
      ['too large and not JSON', 'x'.repeat(256 * KIB + 1), 'Request body too large'],
    ];
    it.each(bodies)('is answered 400 with the right message if it is %s', async (_, body, message) => {
      expect(await post(handler, body)).toEqual(refusal(message));
      expect(await post(inBase64(handler), body)).toEqual(refusal(message));
    });
  });

it('a sale whose body arrives in base64 from the gateway is recorded', async () => {
  brand = await world.brand();
  await signedUp(brand, 'Zoë');
  const body = { transaction_id: 'base64 ü', amount_cents: 4900, customer_key: 'Zoë' };
  expect(await send(inBase64(sale), { key: brand.key, body })).toMatchObject({
    status: 200,
    body: { attributed: true },
  });
  expect(await world.items('SALE#base64 ü')).toHaveLength(2);
});

it('the content type of a request makes no difference', async () => {
  brand = await world.brand();
  const headers = { 'content-type': 'text/plain' };
  await soldTo(brand, 'plain', { transaction_id: 'plain' }, { headers });
  expect(await world.items('SALE#plain')).toHaveLength(2);
});

describe('a path without a route answers 404 “Not Found”', () => {
  it.each([
    ['GET', '/api/v1/track/sale'],
    ['PUT', '/api/v1/track/refund'],
    ['DELETE', '/api/v1/track/click'],
    ['POST', '/api/v1/track/sale/'],
    ['POST', '/api/v1/track/unknown'],
    ['POST', '/api/v2/track/sale'],
    ['GET', '/'],
    ['GET', '/..%2f..%2fetc/passwd'],
  ])('to the request %s %s', async (method, path) => {
    expect(await send(notFound, { method, path })).toEqual({
      status: 404,
      headers: jsonHeaders,
      body: platformError(404, 'Not Found'),
    });
  });

  it('to a request with any body, even an invalid one', async () => {
    expect((await send(notFound, { path: '/unknown', body: '{' })).status).toBe(404);
  });
});

describe('every reply', () => {
  it('has a new X-Request-ID', async () => {
    const replies = await Promise.all(
      [click, lead, sale, refund, notFound].flatMap((handler) => [
        send(handler, { body: {} }),
        send(handler, { body: {}, headers: { 'x-request-id': 'f'.repeat(32) } }),
      ]),
    );
    const ids = replies.map(({ headers }) => headers['X-Request-ID']);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).not.toContain('f'.repeat(32));
  });

  it('has no header with a text that the caller sent', async () => {
    brand = await world.brand();
    const evil = 'x\r\nSet-Cookie: stolen=1';
    const replies = [
      await send(sale, { key: brand.key, body: { transaction_id: 't', amount_cents: 1, currency: evil } }),
      await send(sale, { headers: { authorization: `Bearer ${evil}` }, body: {} }),
      await send(refund, { key: brand.key, body: { transaction_id: evil, reason: 'refund' } }),
      await send(click, { headers: { origin: `https://brand.test${evil}` }, body: { affiliate_url: evil } }),
    ];
    for (const { headers } of replies) {
      expect(JSON.stringify(headers)).not.toContain('stolen');
      for (const value of Object.values(headers)) expect(value).not.toMatch(/[\r\n]/);
    }
    expect(replies[0]?.body.error.message).toBe('currency X\r\nSET-COOKIE: STOLE is not supported');
  });
});
