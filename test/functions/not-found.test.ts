import { beforeAll, describe, expect, it } from 'vitest';
import { handler } from '#functions/not-found.ts';
import { platformError, rateLimitedError } from '#test/support/servers/errors.ts';
import { countedHeaders, jsonHeaders } from '#test/support/callers/headers.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import { type Brand, openWorld } from '#test/support/programs/world.ts';

let brand: Brand;
beforeAll(async () => {
  const world = await openWorld();
  brand = await world.brand();
});

const body = platformError(404, 'Not Found');

describe('a request to an unknown path gets 404 “Not Found”', () => {
  it.each([
    ['GET', '/'],
    ['GET', '/api'],
    ['GET', '/api/v1/unknown'],
    ['GET', '/api/v1/track/click'],
    ['PUT', '/api/v1/track/lead'],
    ['OPTIONS', '/api/v1/track/sale'],
    ['POST', '/api/v1/track/click/more'],
    ['POST', '/api/v1/clients'],
    ['GET', '/api/v1/cli'],
    ['GET', '/API/V1/CLI/x'],
  ])('with %s %s, and no rate limit counts it', async (method, path) => {
    expect(await send(handler, { method, path })).toEqual({ status: 404, headers: jsonHeaders, body });
  });

  it.each([
    ['/api/v1/cli/unknown', 60],
    ['/api/dashboard/v1/unknown', 300],
    ['/api/agent/v1/unknown', 60],
  ])('with %s, and the rate limit of that API, %i requests a minute, counts it', async (path, perMinute) => {
    const ip = '192.0.2.1';
    expect(await send(handler, { path, ip })).toEqual({ status: 404, headers: countedHeaders(perMinute), body });
    const again = await send(handler, { method: 'DELETE', path: `${path}/more`, ip });
    expect(again).toEqual({ status: 404, headers: countedHeaders(perMinute, 2), body });
  });

  it.each(['/api/v1/cli/status', '/api/dashboard/v1/me', '/api/agent/v1/programs'])(
    'with OPTIONS %s, and no rate limit counts it',
    async (path) => {
      expect(await send(handler, { method: 'OPTIONS', path })).toEqual({ status: 404, headers: jsonHeaders, body });
    },
  );

  it('with any body', async () => {
    expect((await send(handler, { path: '/api/v1/unknown', body: '{' })).body).toEqual(body);
  });
});

const remaining = async (path: string, key: string, ip?: string) =>
  (await send(handler, { path, key, ip })).headers['X-RateLimit-Remaining'];

describe('the rate limit of unknown paths counts', () => {
  it('requests per program key under /api/v1/cli', async () => {
    expect(await remaining('/api/v1/cli/x', brand.key)).toBe('59');
    expect(await remaining('/api/v1/cli/x', brand.key)).toBe('58');
  });

  it('requests per IP address if the path accepts no program key', async () => {
    expect(await remaining('/api/agent/v1/x', brand.key)).toBe('59');
    expect(await remaining('/api/agent/v1/x', brand.key)).toBe('59');
    expect(await remaining('/api/dashboard/v1/x', brand.key)).toBe('299');
    expect(await remaining('/api/dashboard/v1/x', brand.key)).toBe('299');
  });

  it('requests per IP address if the token is unknown', async () => {
    const ip = '192.0.2.2';
    expect(await remaining('/api/v1/cli/x', `aff_1_${'x'.repeat(32)}`, ip)).toBe('59');
    expect(await remaining('/api/v1/cli/x', `aff_1_${'y'.repeat(32)}`, ip)).toBe('58');
  });
});

describe('a request to an unknown path above the rate limit', () => {
  it('gets 429 rate_limited in place of 404, until the minute ends', async () => {
    const request = { path: '/api/v1/cli/unknown', ip: '192.0.2.3' };
    for (let n = 0; n < 60; n++) expect((await send(handler, request)).status).toBe(404);
    const at = new Date(NOW.getTime() + 59_500);
    expect(await send(handler, { ...request, at })).toEqual({
      status: 429,
      headers: { ...countedHeaders(60, 61), 'Retry-After': '1' },
      body: rateLimitedError(1),
    });
    expect((await send(handler, { ...request, at: new Date(NOW.getTime() + 60_000) })).status).toBe(404);
  });
});
