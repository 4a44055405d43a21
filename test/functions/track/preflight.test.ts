import { beforeAll, describe, expect, it } from 'vitest';
import { handler as click } from '#functions/track/click.ts';
import { handler as preflight } from '#functions/track/preflight.ts';
import { send } from '#test/support/request.ts';
import { type Brand, openWorld } from '#test/support/world.ts';

let brand: Brand;
beforeAll(async () => {
  const world = await openWorld();
  brand = await world.brand();
});

const bare = { 'X-Request-ID': expect.stringMatching(/^[0-9a-f]{32}$/), Vary: 'Origin' };

describe('204', () => {
  it('lets an allowed origin send its click or lead', async () => {
    const origin = `https://shop.${brand.program.domain}`;
    expect(await send(preflight, { method: 'OPTIONS', headers: { origin } })).toEqual({
      status: 204,
      headers: {
        ...bare,
        'Access-Control-Allow-Origin': origin,
        'Access-Control-Allow-Methods': 'POST, OPTIONS',
        'Access-Control-Allow-Headers': 'Content-Type, Authorization',
        'Access-Control-Max-Age': '600',
      },
      body: undefined,
    });
  });

  it.each<[string, Record<string, string>]>([
    ['an unknown origin', { origin: 'https://unknown.test' }],
    ['no origin', {}],
  ])('says nothing to %s', async (_, headers) => {
    expect(await send(preflight, { method: 'OPTIONS', headers })).toEqual({
      status: 204,
      headers: bare,
      body: undefined,
    });
  });

  it('is not counted', async () => {
    const ip = '192.0.2.1';
    for (let n = 0; n < 61; n++) expect((await send(preflight, { method: 'OPTIONS', ip })).status).toBe(204);
    const { headers } = await send(click, { ip, body: { affiliate_url: brand.affiliateUrl } });
    expect(headers['X-RateLimit-Remaining']).toBe('59');
  });
});
