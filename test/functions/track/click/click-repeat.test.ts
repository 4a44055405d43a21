import { beforeEach, describe, expect, it } from 'vitest';
import { handler as click } from '#functions/track/click.ts';
import { dayOf } from '#lib/service/ground/values/day.ts';
import { discardContainer } from '#lib/service/ground/effects/container.ts';
import { hashOfDay } from '#lib/service/ground/effects/daily-hash.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { visitsKey } from '#lib/service/traffic/clicks/visits-items.ts';
import { failingConditionalUpdateOf, failingUpdateOf, refused } from '#test/support/table/faults.ts';
import { anotherPartner } from '#test/support/payments/lives/journeys.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import { dependentTrips, sentCalls, unitsOf } from '#test/support/servers/sent-calls.ts';
import { type Brand, openWorld, type World } from '#test/support/programs/world.ts';

let world: World;
let brand: Brand;
beforeEach(async () => {
  world = await openWorld();
  brand = await world.brand();
});

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const BOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
const IP = '203.0.113.7';
const minutes = (count: number, ms = 0) => new Date(NOW.getTime() + count * 60_000 + ms);

const fromMidnight = (count: number) => new Date(Date.parse('2026-11-21') + count * 60_000);

interface Sent {
  readonly at?: Date;
  readonly ip?: string;
  readonly userAgent?: string;
  readonly body?: object;
  readonly headers?: Record<string, string>;
}

const sendClick = ({ at = NOW, ip = IP, userAgent = CHROME, body, headers }: Sent) =>
  send(click, { ip, at, headers, body: { affiliate_url: brand.affiliateUrl, user_agent: userAgent, ...body } });

/** Sends a click. @returns its stored quality */
async function qualityOf(sent: Sent = {}): Promise<unknown> {
  const { status, body } = await sendClick(sent);
  expect(status).toBe(200);
  const [item] = await world.items(`CUSTOMER#${body.click_id}`);
  return item!.quality;
}

const networkOf = async (at = NOW, ip = IP) =>
  (await world.items(visitsKey('click', await hashOfDay(world.deps(at), ip), dayOf(at)).pk))[0];

describe('repeated clicks of one visitor through one link', () => {
  it('count as repeats for one hour after the first click, however many they are', async () => {
    expect(await qualityOf()).toBeUndefined();
    for (const at of [minutes(0), minutes(20), minutes(40), minutes(60, -1)])
      expect(await qualityOf({ at })).toBe('repeat');
    expect(await qualityOf({ at: minutes(60) })).toBeUndefined();
    expect(await qualityOf({ at: minutes(119) })).toBe('repeat');
    expect(await qualityOf({ at: minutes(120) })).toBeUndefined();
  });

  it('create a customer each, like other clicks', async () => {
    const [first, again] = [await sendClick({}), await sendClick({})];
    expect(again.body.click_id).not.toBe(first.body.click_id);
    const later = await sendClick({ body: { existing_click_id: again.body.click_id } });
    expect(later.body.click_id).toBe(again.body.click_id);
    expect(await world.items(`CUSTOMER#${again.body.click_id}`)).toMatchObject([
      { sk: expect.stringMatching(/^CLICK#/), quality: 'repeat' },
      { sk: 'CUSTOMER', quality: 'repeat' },
    ]);
  });

  it('do not count as repeats if they come from another IP address, with another user agent or through another link', async () => {
    const ben = await anotherPartner(world, brand, 'Ben');
    await qualityOf();
    expect(await qualityOf({ ip: '203.0.113.8' })).toBeUndefined();
    expect(await qualityOf({ userAgent: FIREFOX })).toBeUndefined();
    expect(await qualityOf({ body: { affiliate_url: ben.affiliateUrl } })).toBeUndefined();
    expect(await qualityOf({ body: { affiliate_url: `${brand.affiliateUrl}&utm_source=x` } })).toBe('repeat');
  });

  it('are recognised by the first 64 bits of an IPv6 address', async () => {
    await qualityOf({ ip: '2001:db8:7:7::1' });
    expect(await qualityOf({ ip: '2001:db8:7:7::2' })).toBe('repeat');
    expect(await qualityOf({ ip: '2001:db8:7:8::1' })).toBeUndefined();
  });

  it('from an ad count as ad clicks, and make a following click without an ad count as a repeat', async () => {
    const body = { affiliate_url: `${brand.affiliateUrl}&gclid=1` };
    expect(await qualityOf({ body })).toBe('paid_ad');
    expect(await qualityOf({ body })).toBe('paid_ad');
    expect(await qualityOf()).toBe('repeat');
  });

  it('by bots and previews do not count as repeats, and do not make later clicks repeats', async () => {
    const purpose = { purpose: 'prefetch' };
    expect(await qualityOf({ userAgent: BOT })).toBe('bot');
    expect(await qualityOf({ headers: purpose })).toBe('preview');
    expect(await qualityOf()).toBeUndefined();
    expect(await qualityOf({ headers: purpose })).toBe('preview');
  });

  it('do not count as repeats if they have no user agent', async () => {
    const body = { user_agent: undefined };
    expect(await qualityOf({ body })).toBeUndefined();
    expect(await qualityOf({ body })).toBeUndefined();
  });

  it('count as one first click and 19 repeats if 20 arrive in parallel', async () => {
    const qualities = await Promise.all(Array.from({ length: 20 }, () => qualityOf()));
    expect(qualities.filter((quality) => quality === undefined)).toHaveLength(1);
  });

  it('count as one first click and 19 repeats if 20 arrive in parallel an hour after an earlier click', async () => {
    await qualityOf();
    const at = minutes(61);
    const qualities = await Promise.all(Array.from({ length: 20 }, () => qualityOf({ at })));
    expect(qualities.filter((quality) => quality === undefined)).toHaveLength(1);
  });

  it('count as repeats for an hour, even over midnight', async () => {
    expect(await qualityOf({ at: fromMidnight(-20) })).toBeUndefined();
    expect(await qualityOf({ at: fromMidnight(10) })).toBe('repeat');
    expect(await qualityOf({ at: fromMidnight(39) })).toBe('repeat');
    expect(await qualityOf({ at: fromMidnight(40) })).toBeUndefined();
    expect(await qualityOf({ at: fromMidnight(59), userAgent: FIREFOX })).toBeUndefined();
  });
});

describe('the data stored about visitors to recognise repeated clicks', () => {
  it('are one item per network and day, without the IP address, which expires after the day', async () => {
    await qualityOf();
    await qualityOf({ at: minutes(1), userAgent: FIREFOX });
    const item = await networkOf();
    const marks = Object.entries(item!).filter(([name]) => /^v[\w-]{6}$/.test(name));
    expect(marks).toEqual([1, 2].map(() => [expect.any(String), expect.any(Number)]));
    expect(item).toEqual({
      pk: expect.stringMatching(/^WINDOW#click#1795132800#ip:[\w-]{22}$/),
      sk: item!.pk,
      expires_at: Date.parse('2026-11-21T02:00:00Z') / 1_000,
      m900: 1,
      m901: 1,
      ...Object.fromEntries(marks),
    });
    const [salt] = await world.items(keys.salt('2026-11-20').pk);
    expect(salt).toEqual({
      ...keys.salt('2026-11-20'),
      salt: expect.stringMatching(/^[\w-]{43}$/),
      expires_at: Date.parse('2026-11-22T00:00:00Z') / 1_000,
    });
  });

  it('stay near 1 KB even if an attacker sends hundreds of user agents', async () => {
    const sizes: number[] = [];
    for (let n = 0; n < 400; n += 1) {
      const at = minutes(n * 0.6);
      await sendClick({ at, userAgent: `${CHROME} x${n}` });
      sizes.push(sizeOf((await networkOf())!));
    }
    expect(Math.max(...sizes)).toBeLessThan(1_100);
    expect(await qualityOf({ at: minutes(240), userAgent: `${CHROME} x399` })).toBe('repeat');
  });
});

/** DynamoDB's item size: names and strings in bytes, numbers about one byte per two digits. */
const sizeOf = (item: Record<string, unknown>): number =>
  Object.entries(item)
    .map(
      ([name, value]) =>
        name.length + (typeof value === 'number' ? Math.ceil(String(value).length / 2) + 1 : String(value).length),
    )
    .reduce((a, b) => a + b, 0);

const cost = async (sent: Sent) => {
  const calls = await sentCalls(() => sendClick(sent));
  return { trips: dependentTrips(calls), calls: calls.length, ...unitsOf(calls) };
};

describe('to recognise repeated clicks, a click request makes', () => {
  const usual = { trips: 2, calls: 4, read: 2, write: 3 };

  it('no extra write or round trip, except one write if the visitor’s first click was more than an hour before', async () => {
    await qualityOf({ ip: '203.0.113.9' });
    expect(await cost({})).toEqual(usual);
    expect(await cost({ at: minutes(1) })).toEqual(usual);
    expect(await cost({ userAgent: BOT })).toEqual(usual);
    expect(await cost({ at: minutes(61) })).toMatchObject({ calls: 5, write: 4 });
  });

  it('one extra read, but no extra call, in the first hour of a day', async () => {
    await qualityOf({ at: fromMidnight(-70) });
    await qualityOf({ at: fromMidnight(1), ip: '203.0.113.9' });
    await qualityOf({ at: fromMidnight(1), ip: '203.0.113.9' });
    const { read, ...others } = await cost({ at: fromMidnight(2) });
    expect({ read, ...others }).toEqual({ ...usual, read: 3 });
    expect(await cost({ at: fromMidnight(60), userAgent: FIREFOX })).toEqual(usual);
  });

  it('one salt per day in all, even in ten containers that start in parallel', async () => {
    const day = '2026-12-01';
    const salts = await Promise.all(
      Array.from({ length: 10 }, async () => {
        discardContainer();
        return hashOfDay(world.deps(new Date(day)), IP);
      }),
    );
    expect(new Set(salts).size).toBe(1);
  });
});

describe('if a table call fails while a click is compared with earlier clicks, the click', () => {
  const failed = refused('InternalServerError');

  it('is recorded as a first click if that call is the write that starts a new hour', async () => {
    await qualityOf();
    const { pk } = visitsKey('click', await hashOfDay(world.deps(), IP), dayOf(NOW));
    const at = minutes(61);
    expect(await failingConditionalUpdateOf(pk, failed, () => qualityOf({ at }))).toBeUndefined();
    expect(await qualityOf({ at })).toBeUndefined();
    expect(await qualityOf({ at })).toBe('repeat');
  });

  it('still counts for the rate limit if that call is the write of the day’s salt', async () => {
    discardContainer();
    const at = new Date('2026-12-02T12:00:00Z');
    const left = async () => (await sendClick({ at })).headers['X-RateLimit-Remaining'];
    expect(await failingUpdateOf(keys.salt('2026-12-02').pk, failed, left)).toBe('59');
    expect([await left(), await left()]).toEqual(['58', '57']);
  });

  it('is recorded, and the next click is a repeat, if that call is for the previous day’s salt', async () => {
    discardContainer();
    const at = new Date('2026-12-05T00:10:00Z');
    expect(await failingUpdateOf(keys.salt('2026-12-04').pk, failed, () => qualityOf({ at }))).toBeUndefined();
    expect(await qualityOf({ at })).toBe('repeat');
  });
});
