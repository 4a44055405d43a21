import { beforeAll, describe, expect, it } from 'vitest';
import { handler as click } from '#functions/track/click.ts';
import { handler as lead } from '#functions/track/lead.ts';
import { handler as preflight } from '#functions/track/preflight.ts';
import { countedHeaders, readableBy } from '#test/support/callers/headers.ts';
import { clicked } from '#test/support/payments/lives/journeys.ts';
import { send } from '#test/support/callers/request.ts';
import { type Brand, openWorld } from '#test/support/programs/world.ts';

const allowedOrigins = [
  'https://app.acme.test',
  'https://*.wild.test',
  'https://*.port.test:8443',
  'http://localhost:3000',
  'http://127.0.0.1:4000',
];

let brand: Brand;
beforeAll(async () => {
  const world = await openWorld();
  brand = await world.brand({ allowedOrigins });
  await world.brand();
});

/** Origins and patterns are tested in test/rules/ground/addresses/origin. */
const origins: readonly [string, string, boolean][] = [
  ['the listed origin', 'https://app.acme.test', true],
  ['an origin with another port', 'https://app.acme.test:8443', false],
  ['a host with the same beginning', 'https://app.acme.test.evil.test', false],
  ['a host far below a wildcard', 'https://a.b.wild.test', true],
  ['the domain of a wildcard itself', 'https://wild.test', false],
  ['a host below a wildcard with a port', 'https://a.port.test:8443', true],
  ['localhost', 'http://localhost:3000', true],
  ['127.0.0.1 if localhost is listed', 'http://127.0.0.1:3000', false],
  ['an opaque origin', 'null', false],
  ['a host of 2,100 characters', `https://${'a.'.repeat(1_050)}wild.test`, false],
  ['a request without an origin', '', false],
];

const preflightHeaders = {
  'Access-Control-Allow-Methods': 'POST, OPTIONS',
  'Access-Control-Allow-Headers': 'Content-Type, Authorization',
  'Access-Control-Max-Age': '600',
};

describe('the header Access-Control-Allow-Origin in the reply to a browser', () => {
  it.each(origins)('is sent for %s (%s): %s', async (_, origin, isAllowed) => {
    const headers = { origin };
    const asked = await send(preflight, { method: 'OPTIONS', headers });
    expect(asked).toEqual({
      status: 204,
      headers: {
        'X-Request-ID': expect.any(String),
        Vary: 'Origin',
        ...(isAllowed && { 'Access-Control-Allow-Origin': origin, ...preflightHeaders }),
      },
      body: undefined,
    });

    const readable = isAllowed ? readableBy(origin) : { Vary: 'Origin' };
    const clickReply = await send(click, { headers, body: { affiliate_url: brand.affiliateUrl } });
    expect(clickReply.headers).toEqual({ ...countedHeaders(60), ...readable });
    const leadReply = await send(lead, { headers, body: { click_id: clickReply.body.click_id } });
    expect(leadReply.headers).toEqual({ ...countedHeaders(30), ...readable });
    expect([clickReply.status, leadReply.status]).toEqual([200, 200]);
  });

  it('has the origin in the normal form, even if the request spells it differently', async () => {
    const headers = { origin: 'HTTPS://App.Acme.Test:443' };
    const clickId = await clicked(brand);
    const { headers: answered } = await send(lead, { headers, body: { click_id: clickId } });
    expect(answered).toMatchObject(readableBy('https://app.acme.test'));
  });
});
