import { describe, expect, it } from 'vitest';
import { handler as click } from '#functions/track/click.ts';
import { handler as lead } from '#functions/track/lead.ts';
import { rateLimitedError } from '#test/support/servers/errors.ts';
import { countedHeaders } from '#test/support/callers/headers.ts';
import { send } from '#test/support/callers/request.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// An installation that limits server leads per program key.

process.env.KEYED_LEADS_PER_MINUTE = '40';

const world = openedWorld();

let addresses = 0;
const newAddress = () => `192.0.2.${++addresses}`;
const counted = (perMinute: number, used = 1) => ({ ...countedHeaders(perMinute, used), Vary: 'Origin' });

describe('with the setting KEYED_LEADS_PER_MINUTE of 40', () => {
  it('leads with a valid program key are limited to 40 a minute per key, from any IP addresses', async () => {
    const { key } = await world.brand();
    for (let used = 1; used <= 40; used++) {
      const { status, headers } = await send(lead, { key, body: {} });
      expect({ status, headers }).toEqual({ status: 400, headers: counted(40, used) });
    }
    expect(await send(lead, { key, body: { customer_key: 'late' } })).toEqual({
      status: 429,
      headers: { ...counted(40, 41), 'Retry-After': '60' },
      body: rateLimitedError(60),
    });
  });

  it('leads with two keys from one IP address are limited separately', async () => {
    const ip = newAddress();
    const [a, b] = [await world.brand(), await world.brand()];
    for (const { key } of [a, a, b]) await send(lead, { ip, key, body: {} });
    expect((await send(lead, { ip, key: b.key, body: {} })).headers).toEqual(counted(40, 2));
    expect((await send(lead, { ip, body: {} })).headers).toEqual(counted(30, 1));
  });

  it.each([
    ['without a key', {}],
    ['with an empty key', { key: '' }],
    ['with an unknown key', { key: `aff_1_${'0'.repeat(32)}` }],
    ['with another header', { key: 'token' }],
  ])('leads sent %s are limited to 30 a minute per IP address', async (_, credential) => {
    const ip = newAddress();
    for (let used = 1; used <= 30; used++) {
      expect((await send(lead, { ip, ...credential, body: {} })).headers).toEqual(counted(30, used));
    }
    expect(await send(lead, { ip, ...credential, body: {} })).toMatchObject({ status: 429 });
  });

  it('clicks are limited per IP address, with and without a program key', async () => {
    const { key } = await world.brand();
    const ip = newAddress();
    await send(click, { ip, body: {} });
    expect((await send(click, { ip, key, body: {} })).headers).toEqual(counted(60, 2));
  });
});
