import { describe, expect, it } from 'vitest';
import { handler as notFound } from '#functions/not-found.ts';
import { handler as click } from '#functions/track/click.ts';
import { handler as lead } from '#functions/track/lead.ts';
import { handler as preflight } from '#functions/track/preflight.ts';
import { handler as refund } from '#functions/track/refund.ts';
import { handler as sale } from '#functions/track/sale.ts';
import { sha256 } from '#lib/service/ground/addresses/credential.ts';
import type { Handler } from '#lib/service/http/messages/handler.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { markKeyForRotation } from '#lib/service/programs/keys/mark-key-for-rotation.ts';
import { rateLimitedError } from '#test/support/servers/errors.ts';
import { countedHeaders } from '#test/support/callers/headers.ts';
import { signedUp } from '#test/support/payments/lives/journeys.ts';
import { NOW, send, type TestReply, type TestRequest } from '#test/support/callers/request.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// Each group of routes has its own limit, window and identity.

const world = openedWorld();

/** Sends a request this many times in sequence. @returns the last reply */
async function repeat(times: number, handler: Handler, request: TestRequest): Promise<TestReply> {
  let reply: TestReply | undefined;
  for (let n = 0; n < times; n++) reply = await send(handler, request);
  return reply!;
}

let addresses = 0;
const newAddress = () => `192.0.2.${++addresses}`;
const remaining = ({ headers }: TestReply) => Number(headers['X-RateLimit-Remaining']);
const minute = (minutes: number, ms = 0) => new Date(NOW.getTime() + minutes * 60_000 + ms);

describe('the rate limit per IP address of the client', () => {
  it.each([
    ['click', click, 60],
    ['lead', lead, 30],
    ['sale without a key', sale, 120],
    ['refund without a key', refund, 120],
  ] as const)(
    'accepts, for a %s, exactly the allowed number of requests and refuses further ones',
    async (name, handler, perMinute) => {
      const request = { ip: newAddress(), body: {} };
      const vary = name === 'click' || name === 'lead' ? { Vary: 'Origin' } : {};
      for (let used = 1; used <= perMinute; used++) {
        const { status, headers } = await send(handler, request);
        expect(status).not.toBe(429);
        expect(headers).toEqual({ ...countedHeaders(perMinute, used), ...vary });
      }
      for (const used of [perMinute + 1, perMinute + 2]) {
        expect(await send(handler, request)).toEqual({
          status: 429,
          headers: { ...countedHeaders(perMinute, used), 'Retry-After': '60', ...vary },
          body: rateLimitedError(60),
        });
      }
      expect(remaining(await send(handler, { ...request, ip: newAddress() }))).toBe(perMinute - 1);
    },
  );

  it('counts click, lead and sale separately', async () => {
    const ip = newAddress();
    await repeat(3, click, { ip, body: {} });
    await repeat(2, lead, { ip, body: {} });
    expect(remaining(await send(click, { ip, body: {} }))).toBe(56);
    expect(remaining(await send(lead, { ip, body: {} }))).toBe(27);
    expect(remaining(await send(sale, { ip, body: {} }))).toBe(119);
  });

  it('counts clicks and leads by IP address even if they contain a program key', async () => {
    const { key } = await world.brand();
    const ip = newAddress();
    await repeat(2, click, { ip, key, body: {} });
    expect(remaining(await send(click, { ip, body: {} }))).toBe(57);
    expect(remaining(await send(click, { ip: newAddress(), key, body: {} }))).toBe(59);
    await repeat(2, lead, { ip, key, body: {} });
    expect(remaining(await send(lead, { ip, body: {} }))).toBe(27);
  });

  it('ignores X-Forwarded-For', async () => {
    const ip = newAddress();
    await send(click, { ip, body: {}, headers: { 'x-forwarded-for': '198.51.100.1' } });
    const again = await send(click, { ip, body: {}, headers: { 'x-forwarded-for': '198.51.100.2' } });
    expect(remaining(again)).toBe(58);
  });

  it.each([
    ['in the format of a program key', (n: number) => `aff_1_${String(n).padStart(32, '0')}`],
    ['without a format', (n: number) => `token_${n}`],
    ['none', () => ''],
  ])('counts requests with unknown tokens by IP address: %s', async (_, tokenOf) => {
    const ip = newAddress();
    for (let n = 0; n < 120; n++) await send(n % 2 === 0 ? sale : refund, { ip, key: tokenOf(n), body: {} });
    expect(await send(sale, { ip, key: tokenOf(120), body: {} })).toMatchObject({
      status: 429,
      body: rateLimitedError(60),
    });
    expect(await send(sale, { ip: newAddress(), key: tokenOf(120), body: {} })).toMatchObject({ status: 401 });
  });

  it.each(['loginToken', 'agentKey'])(
    'counts a request for a sale by IP address if its credential is not a program key: %s',
    async (name) => {
      const token = `counted_${name}`;
      await world.deps().table.put(keys.credential(sha256(token)), { class: name });
      const ip = newAddress();
      await send(sale, { ip, key: token, body: {} });
      expect(remaining(await send(sale, { ip, body: {} }))).toBe(118);
    },
  );
});

describe('the rate limit per program key', () => {
  it('allows 120 sales and refunds together, and refuses the next one before it is processed', async () => {
    const brand = await world.brand();
    await signedUp(brand, 'limited');
    const ip = newAddress();
    for (let used = 1; used <= 120; used++) {
      const reply = await send(used % 2 === 0 ? refund : sale, { key: brand.key, body: {} });
      expect(reply).toMatchObject({ status: 400, headers: { 'X-RateLimit-Remaining': String(120 - used) } });
    }
    const body = { transaction_id: 'limited', amount_cents: 4900, customer_key: 'limited' };
    expect(await send(sale, { key: brand.key, ip, body })).toEqual({
      status: 429,
      headers: { ...countedHeaders(120, 121), 'Retry-After': '60' },
      body: rateLimitedError(60),
    });
    expect(await send(refund, { key: brand.key, ip, body: '{' })).toMatchObject({ status: 429 });
    expect(await world.items('SALE#limited')).toEqual([]);

    // No requests of the address are counted yet, and none of the key in the next minute.
    expect(remaining(await send(sale, { ip, body }))).toBe(119);
    expect(await send(sale, { key: brand.key, body, at: minute(1) })).toMatchObject({
      status: 200,
      headers: countedHeaders(120, 1, minute(1)),
    });
  });

  it('counts two keys separately even if they come from one IP address', async () => {
    const ip = newAddress();
    const [a, b] = [await world.brand(), await world.brand()];
    await repeat(5, sale, { ip, key: a.key, body: {} });
    expect(remaining(await send(sale, { ip, key: b.key, body: {} }))).toBe(119);
    expect(remaining(await send(sale, { ip, body: {} }))).toBe(119);
  });

  it('also counts requests with an imported key of another format', async () => {
    const { program } = await world.brand();
    const key = 'key_from_before';
    await world.deps().table.put(keys.credential(sha256(key)), { class: 'programKey', programId: program.id });
    const refused = await repeat(121, sale, { key, body: {} });
    expect(refused).toMatchObject({ status: 429, body: rateLimitedError(60) });
    expect(remaining(await send(sale, { body: {} }))).toBe(119);
  });

  it('counts requests with a retired key as well; the replies 429 have the headers about rotation', async () => {
    const { program, key } = await world.brand();
    await markKeyForRotation(world.deps(), program.id, NOW);
    expect(await repeat(120, sale, { key, body: {} })).toMatchObject({ status: 401 });
    expect(await send(sale, { key, body: {} })).toEqual({
      status: 429,
      headers: {
        ...countedHeaders(120, 121),
        'Retry-After': '60',
        Deprecation: '@1795186800',
        Sunset: 'Fri, 20 Nov 2026 15:00:00 GMT',
        Link: '<https://track.test/docs/errors#api_key_rotation_required>; rel="deprecation"',
      },
      body: rateLimitedError(60),
    });
  });

  it('accepts exactly 120 of 125 parallel sales', async () => {
    const { key } = await world.brand();
    const replies = await Promise.all(Array.from({ length: 125 }, () => send(sale, { key, body: {} })));
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(5);
    const passed = replies.filter(({ status }) => status === 400);
    expect(passed.map(remaining).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 120 }, (_, n) => n));
  });
});

describe('the minute for which a rate limit counts', () => {
  it.each([
    ['the start of a minute', 0, 60],
    ['a millisecond later', 1, 60],
    ['half a minute', 30_000, 30],
    ['between two seconds', 30_500, 30],
    ['the last second', 59_000, 1],
    ['the last millisecond', 59_999, 1],
  ])(
    'lets a caller who is refused at %s (%i ms after its start) try again after %i seconds',
    async (_, ms, seconds) => {
      const at = minute(0, ms);
      const refused = await repeat(31, lead, { ip: newAddress(), body: {}, at });
      expect(refused).toMatchObject({
        status: 429,
        headers: { 'Retry-After': String(seconds), 'X-RateLimit-Reset': String(NOW.getTime() / 1000 + 60) },
        body: rateLimitedError(seconds),
      });
    },
  );

  it('ends with the minute of the clock, and the next one begins at zero', async () => {
    const ip = newAddress();
    await repeat(31, lead, { ip, body: {}, at: minute(0, 59_999) });
    const next = await send(lead, { ip, body: {}, at: minute(1) });
    expect(next.headers).toEqual({ ...countedHeaders(30, 1, minute(1)), Vary: 'Origin' });
  });
});

describe('no rate limit applies to', () => {
  it('OPTIONS requests', async () => {
    const ip = newAddress();
    const { headers } = await send(preflight, { method: 'OPTIONS', path: '/api/v1/track/click', ip });
    expect(Object.keys(headers).filter((name) => name.startsWith('X-RateLimit'))).toEqual([]);
    expect(remaining(await send(click, { ip, body: {} }))).toBe(59);
  });

  it.each(['/api/v1/track/sale', '/api/v1/track/other', '/'])('GET %s, a path without a route', async (path) => {
    const { headers } = await send(notFound, { method: 'GET', path });
    expect(headers).not.toHaveProperty('X-RateLimit-Limit');
  });
});

it.each([
  ['/api/v1/cli/other', 60],
  ['/api/dashboard/v1/other', 300],
  ['/api/agent/v1/other', 60],
])('a request to the unknown path %s counts for the rate limit of its part of the API', async (path, perMinute) => {
  const ip = newAddress();
  await send(notFound, { method: 'GET', path, ip });
  const reply = await send(notFound, { method: 'PUT', path: `${path}/2`, ip });
  expect(reply).toMatchObject({ status: 404, headers: countedHeaders(perMinute, 2) });
});
