import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { handler as clickHandler } from '#functions/track/click.ts';
import { dayOf } from '#lib/service/ground/values/day.ts';
import { minuteField } from '#lib/service/traffic/clicks/visits.ts';
import { hashOfDay } from '#lib/service/ground/effects/daily-hash.ts';
import { visitsKey } from '#lib/service/traffic/clicks/visits-items.ts';
import { trustEdge } from '#lib/service/ground/counters/trust-edge.ts';
import { failing, refused } from '#test/support/table/faults.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

const world = openedWorld();
let secret: string;
beforeAll(async () => {
  secret = await trustEdge(world.deps());
});

const EDGE = '192.0.2.1';
let people = 0;
let address: string;
let minutes = 0;
/** The time of a test. Each test is in a separate minute, so that no window is shared. */
let at: Date;
beforeEach(() => {
  address = `203.0.113.${++people}`;
  at = new Date(NOW.getTime() + ++minutes * 3_600_000);
});

const click = (headers: Readonly<Record<string, string>>, ip = EDGE, when = at) =>
  send(clickHandler, { body: {}, headers, ip, at: when });
const throughEdge = (told: string, by = secret) => ({ 'referral-viewer-address': told, 'referral-edge-secret': by });
const remaining = async (reply: ReturnType<typeof click>) => Number((await reply).headers['X-RateLimit-Remaining']);

/** The addresses under which requests were counted. */
async function countedUnder(when = at): Promise<string[]> {
  const known = [address, EDGE, '198.51.100.1'];
  const deps = world.deps(when);
  const items = await Promise.all(
    known.map(async (ip) => world.items(visitsKey('click', await hashOfDay(deps, ip), dayOf(when)).pk)),
  );
  return known.filter((_, index) => items[index]!.some((item) => minuteField(when, dayOf(when)) in item));
}

describe('the rate limit of a request through CloudFront', () => {
  it('is counted for the IP address of the client', async () => {
    await click(throughEdge(address));
    expect(await countedUnder()).toEqual([address]);
  });

  it('is counted separately for two clients at one location of CloudFront', async () => {
    expect(await remaining(click(throughEdge(address)))).toBe(59);
    expect(await remaining(click(throughEdge(address)))).toBe(58);
    expect(await remaining(click(throughEdge('198.51.100.1')))).toBe(59);
  });
});

describe('all IP addresses of one IPv6 /64 network share a rate limit', () => {
  const spellings = ['2001:db8:7:7::1', '2001:DB8:7:7:ffff:0:0:2', '[2001:db8:7:7::3]:443', '2001:db8:7:7::4%eth0'];

  it('in requests through CloudFront', async () => {
    for (const [count, told] of spellings.entries()) {
      expect(await remaining(click(throughEdge(told)))).toBe(59 - count);
    }
    expect(await remaining(click(throughEdge('2001:db8:7:8::1')))).toBe(59);
  });

  it('in requests that bypass CloudFront', async () => {
    for (const [count, ip] of spellings.entries()) expect(await remaining(click({}, ip))).toBe(59 - count);
  });

  it('and so do all notations of one IPv4 address', async () => {
    for (const [count, told] of [address, `::ffff:${address}`].entries()) {
      expect(await remaining(click(throughEdge(told)))).toBe(59 - count);
    }
    expect(await countedUnder()).toEqual([address]);
  });
});

describe('a request that cannot prove it came through CloudFront is counted for the IP address of its connection', () => {
  it.each([
    ['without the secret', { 'referral-viewer-address': '198.51.100.1' }],
    ['with another secret', throughEdge('198.51.100.1', 'x'.repeat(43))],
    ['with the hash of a secret', throughEdge('198.51.100.1', 'EDGE')],
    ['with the secret and no IP address', () => ({ 'referral-edge-secret': secret })],
    ['with X-Forwarded-For', { 'x-forwarded-for': '198.51.100.1', 'cloudfront-viewer-address': '198.51.100.1:1' }],
  ])('%s', async (_, headers) => {
    await click(typeof headers === 'function' ? headers() : headers, address);
    expect(await countedUnder()).toEqual([address]);
  });

  it('even if it claims another client’s IP address each time', async () => {
    for (let count = 0; count < 3; count += 1) {
      expect(await remaining(click(throughEdge(`198.51.100.${count}`, 'guessed'), address))).toBe(59 - count);
    }
  });
});

describe('a former secret between CloudFront and the functions', () => {
  it('is accepted until four newer ones have been made', async () => {
    const [first, second] = [await trustEdge(world.deps()), await trustEdge(world.deps())];
    await trustEdge(world.deps());
    await trustEdge(world.deps());
    await click(throughEdge(address, first));
    await click(throughEdge(address, second));
    expect(await countedUnder()).toEqual([address]);
    secret = await trustEdge(world.deps());
    expect(await remaining(click(throughEdge(address, second)))).toBe(57);
    await click(throughEdge(address, first));
    expect(await countedUnder()).toEqual([address, EDGE]);
  });
});

const minutesLater = (count: number) => new Date(at.getTime() + count * 60_000);

describe('the hashes of CloudFront’s secrets, once read from the table,', () => {
  it('are cached for five minutes', async () => {
    await click(throughEdge(address));
    const table = world.deps().table;
    const existing = await table.get<{ hashes: string[] }>({ pk: 'EDGE', sk: 'EDGE' });
    await table.put({ pk: 'EDGE', sk: 'EDGE' }, { hashes: [] });
    await click(throughEdge(address), EDGE, minutesLater(4));
    expect(await countedUnder(minutesLater(4))).toEqual([address]);
    await click(throughEdge(address), EDGE, minutesLater(5));
    expect(await countedUnder(minutesLater(5))).toEqual([EDGE]);
    await table.put({ pk: 'EDGE', sk: 'EDGE' }, existing!);
  });
});

it('if the hashes of CloudFront’s secrets cannot be read, a request is answered without being counted', async () => {
  const unknown = throughEdge(address, 'y'.repeat(43));
  const reply = await failing('read', refused('InternalServerError'), () => click(unknown));
  expect(reply.status).toBe(400);
  expect(reply.body.error.message).toBe('affiliate_url is required');
  expect(await countedUnder()).toEqual([]);
});
