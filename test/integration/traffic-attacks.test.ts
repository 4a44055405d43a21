import { beforeEach, describe, expect, it } from 'vitest';
import { handler as click } from '#functions/track/click.ts';
import { type OwnedBrand, ownedBrand } from '#test/support/programs/commissions.ts';
import { platformError } from '#test/support/servers/errors.ts';
import { settledLead, sold } from '#test/support/payments/lives/journeys.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import { counted } from '#test/support/table/stream.ts';
import { openWorld, type World } from '#test/support/programs/world.ts';

// Tests of attacks on the rules and on click quality.

let world: World;
let own: OwnedBrand;
beforeEach(async () => {
  world = await openWorld();
  own = await ownedBrand(world);
});

const BROWSER =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
const LONGEST = 8_192;

const sendClick = (body: object, how: { readonly at?: Date; readonly ip?: string } = {}) =>
  send(click, { body: { affiliate_url: own.affiliateUrl, user_agent: BROWSER, ...body }, ...how });

const qualityOf = async (clickId: string): Promise<unknown> => (await world.items(`CUSTOMER#${clickId}`))[0]!.quality;

async function clicked(body: object, how: { readonly at?: Date; readonly ip?: string } = {}): Promise<string> {
  const reply = await sendClick(body, how);
  expect(reply).toMatchObject({ status: 200, body: { success: true } });
  return reply.body.click_id;
}

let payments = 0;

/** Makes a customer who clicks, signs up and pays. @returns the status of the commission, and the rules that hold it */
async function heldBy(body: object, email?: string): Promise<{ status: string; rules: string[] }> {
  const customerKey = `attack_${++payments}`;
  const clickId = await clicked(body);
  await settledLead(own, { click_id: clickId, customer_key: customerKey, email });
  const { commission_id: id } = await sold(own, { customer_key: customerKey, transaction_id: customerKey });
  const { data } = (await own.owner.get(`${own.path}/commissions`)).body;
  const { status, flags } = data.find((one: { id: number }) => one.id === id);
  return { status, rules: flags.map(({ rule }: { rule: string }) => rule) };
}

const change = (body: object) => own.owner.patch(own.path, body);
const isFree = { status: 'pending', rules: [] };

describe('a click whose user agent is 8 kB long', () => {
  it.each([
    ['of one letter', 'a'.repeat(LONGEST), 'bot'],
    ['of white space', `Mozilla${' '.repeat(LONGEST)}`, 'bot'],
    ['of brackets', `Mozilla/5.0 ${'('.repeat(LONGEST)}`, undefined],
    ['a browser, then random text', BROWSER + ' x'.repeat(LONGEST / 2), undefined],
    ['a bot, then random text', `Googlebot/2.1 ${'x'.repeat(LONGEST)}`, 'bot'],
  ])('is classified correctly, and without a long delay: %s', async (_, userAgent, quality) => {
    expect(await qualityOf(await clicked({ user_agent: userAgent }))).toBe(quality);
  });
});

describe('the banned referrers of a program', () => {
  it.each(['.*', '(a+)+$', '[a-z]+.test', '*', '*.*.test', '^coupons', 'a|b'])(
    'cannot contain %j, which is not a host: 400',
    async (host) => {
      expect(await change({ banned_referrers: [host] })).toMatchObject({
        status: 400,
        body: platformError(400, 'banned_referrers must be a list of up to 100 hosts'),
      });
    },
  );

  it('are compared as plain text with the sites from which clicks came', async () => {
    const list = { banned_referrers: ['cou.pons.test', '*.deals.test'], rules: { banned_referrer: 'hold' } };
    expect(await change(list)).toMatchObject({ status: 200 });
    const isHeld = { status: 'held', rules: ['banned_referrer'] };
    for (const host of [
      'cou.pons.test',
      'COU.PONS.TEST:8443',
      'user:word@cou.pons.test',
      'a.deals.test',
      'a.b.deals.test',
    ])
      expect([host, await heldBy({ referrer_url: `https://${host}/x?y=1` })]).toEqual([host, isHeld]);
    for (const host of [
      'couxpons.test',
      'deals.test',
      'xdeals.test',
      'a.deals.test.evil.test',
      '(a+)+$',
      '.*',
      '*.deals.test',
    ])
      expect([host, await heldBy({ referrer_url: `https://${host}/cou.pons.test` })]).toEqual([
        host,
        host.startsWith('*.') ? isHeld : isFree,
      ]);
    expect(await heldBy({ referrer_url: `https://${'a'.repeat(LONGEST)}!` })).toEqual(isFree);
  });
});

describe('a partner’s e-mail address and the customer’s', () => {
  const isSelf = { status: 'held', rules: ['self_referral'] };

  it.each([
    ['a.n.a@gmail.com', 'ANA@GoogleMail.com', isSelf],
    ['ana@googlemail.com', 'a.na+x+y@gmail.com', isSelf],
    ['ana+partner@outlook.com', 'Ana+shop@outlook.com', isSelf],
    ['ana@outlook.com', 'a.na@outlook.com', isFree],
    ['ana@outlook.com', 'ana@gmail.com', isFree],
    ['ana@gmail.com', 'ana@gmail.com.evil.test', isFree],
  ])('(%s and %s) lead to a commission with %j', async (partners, customers, verdict) => {
    expect(await change({ rules: { self_referral: 'hold' } })).toMatchObject({ status: 200 });
    const { status } = await own.owner.patch(`${own.path}/partners/${own.partner.id}`, { email: partners });
    expect(status).toBe(200);
    expect(await heldBy({}, customers)).toEqual(verdict);
  });
});

describe('a list of fifty network ranges', () => {
  const ranges = Array.from({ length: 50 }, (_, n) => `198.51.${n}.77/24`);

  it.each([
    '198.51.7.0/33',
    '198.51.7.256',
    '2001:db8::/129',
    '198.51.7.0/-1',
    '198.51.7.0/',
    '0x7f.1/8',
    'fe80::1%eth0',
  ])('is refused with 400 and changes nothing if %s is one of them', async (wrong) => {
    expect(await change({ ignored_addresses: [...ranges.slice(0, 20), wrong, ...ranges.slice(21)] })).toMatchObject({
      status: 400,
      body: platformError(400, 'ignored_addresses must be a list of up to 50 addresses or CIDR ranges'),
    });
    expect((await own.owner.get(own.path)).body.data.ignored_addresses).toEqual([]);
  });

  it('is compared completely, and each address is stored as the first one of its range', async () => {
    const { body } = await change({ ignored_addresses: ranges });
    expect(body.data.ignored_addresses).toEqual(Array.from({ length: 50 }, (_, n) => `198.51.${n}.0/24`));
    for (const ip of ['198.51.0.1', '198.51.49.255', '::ffff:198.51.20.3'])
      expect([ip, await qualityOf(await clicked({}, { ip }))]).toEqual([ip, 'bot']);
    expect(await qualityOf(await clicked({}, { ip: '198.51.50.1' }))).toBeUndefined();
  });
});

describe('clicks shortly before and after midnight UTC', () => {
  it('are counted on their own days, and a second click within an hour is a repeat even after midnight', async () => {
    const ip = '198.51.100.9';
    const [before, after] = [new Date('2026-11-20T23:59:59.999Z'), new Date('2026-11-21T00:00:00.000Z')];
    expect(await qualityOf(await clicked({}, { ip, at: before }))).toBeUndefined();
    expect(await qualityOf(await clicked({}, { ip, at: after }))).toBe('repeat');
    expect(await qualityOf(await clicked({}, { ip, at: new Date('2026-11-21T00:59:59.999Z') }))).toBeUndefined();
    await clicked({ user_agent: 'Googlebot/2.1' }, { ip, at: after });
    await counted(world);
    const { data } = (await own.owner.get(`${own.path}/performance?from=2026-11-20&to=2026-11-21`, { at: NOW })).body;
    expect(data.days).toMatchObject([
      { date: '2026-11-20', clicks: 1, bot_clicks: 0, repeat_clicks: 0 },
      { date: '2026-11-21', clicks: 2, bot_clicks: 1, repeat_clicks: 1 },
    ]);
  });
});
