import { beforeAll, describe, expect, it } from 'vitest';
import { handler as click } from '#functions/track/click.ts';
import { send } from '#test/support/callers/request.ts';
import { openWorld } from '#test/support/programs/world.ts';

// An installation with the secrets of two proxies, one of them as a hash.

const hash = '13d40a58d4d1e2a86d7fb3dc6b6f3c3ea2ad8b1a5e6e25bda5c6b1d0f0f3a5f1';
process.env.PROXY_SECRETS = `first-proxy-secret, second-proxy-secret,sha256:${hash}`;

beforeAll(() => openWorld());

let addresses = 0;
const newAddress = () => `192.0.2.${++addresses}`;

const left = async (ip: string) => Number((await send(click, { body: {}, ip })).headers['X-RateLimit-Remaining']);

/** The remaining requests of an address after a click through a proxy at another address. */
async function leftOf(visitor: string, proxy: string, headers: Readonly<Record<string, string>>) {
  await send(click, { body: {}, ip: proxy, headers });
  return { visitor: await left(visitor), proxy: await left(proxy) };
}

describe('the rate limit of a request from a brand’s proxy that sends a valid secret', () => {
  it.each(['first-proxy-secret', 'second-proxy-secret'])(
    'is counted for the visitor’s IP address, with the secret %s',
    async (secret) => {
      const [visitor, proxy] = [newAddress(), newAddress()];
      const headers = { 'x-service-proxy-secret': secret, 'x-forwarded-for': `${visitor}, 198.51.100.7` };
      expect(await leftOf(visitor, proxy, headers)).toEqual({ visitor: 58, proxy: 59 });
    },
  );
});

describe('a request without a valid proxy secret is counted for the IP address of its connection', () => {
  it.each([
    ['without a secret', {}],
    ['with an unknown secret', { 'x-service-proxy-secret': 'third-proxy-secret' }],
    ['with the hash of a secret', { 'x-service-proxy-secret': hash }],
    ['with all secrets at once', { 'x-service-proxy-secret': 'first-proxy-secret, second-proxy-secret' }],
  ])('%s', async (_, headers) => {
    const [visitor, proxy] = [newAddress(), newAddress()];
    const forwarded = { ...headers, 'x-forwarded-for': visitor };
    expect(await leftOf(visitor, proxy, forwarded)).toEqual({ visitor: 59, proxy: 58 });
  });

  it('and so is a request with a valid proxy secret but no visitor’s IP address', async () => {
    const [visitor, proxy] = [newAddress(), newAddress()];
    const headers = { 'x-service-proxy-secret': 'first-proxy-secret', 'x-forwarded-for': 'unknown' };
    expect(await leftOf(visitor, proxy, headers)).toEqual({ visitor: 59, proxy: 58 });
  });
});
