import { beforeAll, describe, expect, it } from 'vitest';
import { handler as click } from '#functions/track/click.ts';
import { type OwnedBrand, ownedBrand } from '#test/support/programs/commissions.ts';
import { changeProgram, clicked } from '#test/support/payments/lives/journeys.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import { sentCalls, unitsOf } from '#test/support/servers/sent-calls.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

const world = openedWorld();
let own: OwnedBrand;
beforeAll(async () => {
  own = await ownedBrand(world);
  await changeProgram(world, own, { ignoredAddresses: ['203.0.113.0/24', '2001:db8::1'] });
});

const OFFICE = '203.0.113.7';
const OUTSIDE = '198.51.100.7';
const BOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

const itemsOf = async (ip: string, body: object = {}) => {
  const reply = await send(click, { ip, body: { affiliate_url: own.affiliateUrl, ...body } });
  expect(reply).toMatchObject({ status: 200, body: { success: true, partner_code: own.shortLink } });
  return world.items(`CUSTOMER#${reply.body.click_id}`);
};

const costOf = async (ip: string, body = {}) => unitsOf(await sentCalls(() => itemsOf(ip, body)));

describe('a click on a link of a program that ignores some IP addresses', () => {
  it.each([OFFICE, '::ffff:203.0.113.8', '2001:db8::1'])(
    'from the ignored IP address %s is recorded as a bot’s, and its click id matches no customer',
    async (ip) => {
      const [item, ...others] = await itemsOf(ip);
      expect([item, others]).toMatchObject([{ sk: 'CUSTOMER', quality: 'bot' }, []]);
      expect((await own.owner.get(`${own.path}/customers/${String(item!.clickId)}`, { at: NOW })).status).toBe(404);
    },
  );

  it.each([OUTSIDE, '2001:db8::2'])(
    'from the IP address %s, which is not ignored, is recorded as usual',
    async (ip) => {
      expect((await itemsOf(ip))[0]).not.toHaveProperty('quality');
    },
  );

  it('from an ignored IP address is recorded as a bot’s even if it also comes from an ad', async () => {
    const affiliate_url = `${own.affiliateUrl}&gclid=1`;
    expect(await itemsOf(OFFICE, { affiliate_url })).toMatchObject([{ quality: 'bot' }]);
    expect(await itemsOf(OUTSIDE, { affiliate_url })).toMatchObject([{ quality: 'paid_ad' }]);
  });

  it('from an ignored IP address by a known customer is recorded as a bot’s, and the customer does not change', async () => {
    const existing_click_id = await clicked(own);
    const [later, customer] = await itemsOf(OFFICE, { existing_click_id });
    expect(later).toMatchObject({ sk: expect.stringMatching(/^CLICK#/), quality: 'bot' });
    expect(customer).not.toHaveProperty('quality');
  });

  it('from an ignored IP address costs one more write than other clicks, unless a bot sends it', async () => {
    const usual = await costOf(OUTSIDE);
    expect(await costOf(OFFICE)).toEqual({ ...usual, write: usual.write + 1 });
    expect(await costOf(OFFICE, { user_agent: BOT })).toEqual(usual);
  });
});
