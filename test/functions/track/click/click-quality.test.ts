import { describe, expect, it } from 'vitest';
import { handler as click } from '#functions/track/click.ts';
import { handler as lead } from '#functions/track/lead.ts';
import { handler as sale } from '#functions/track/sale.ts';
import { ownedBrand } from '#test/support/programs/commissions.ts';
import { countedHeaders, readableBy } from '#test/support/callers/headers.ts';
import { clicked, signedUp } from '#test/support/payments/lives/journeys.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import { warned } from '#test/support/programs/warnings.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { opened } from '#test/support/cases/opened.ts';

const world = openedWorld();
const own = opened(() => ownedBrand(world));

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const BOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

interface Sent {
  readonly body?: object;
  readonly headers?: Record<string, string>;
}

/**
 * Sends a click.
 * @param isAutomatic a bot's or preview's, which gets a warning
 * @returns its id and the customer's item
 */
async function recorded({ body = {}, headers = {} }: Sent, isAutomatic = false) {
  const reply = await send(click, { body: { affiliate_url: own.affiliateUrl, ...body }, headers });
  expect(reply).toEqual({
    status: 200,
    headers: {
      ...countedHeaders(60),
      Vary: 'Origin',
      ...(headers.origin && readableBy(headers.origin)),
    },
    body: {
      success: true,
      click_id: expect.any(String),
      partner_code: own.shortLink,
      cookie_window_days: 60,
      ...(isAutomatic && { warnings: [warned('bot_click')] }),
    },
  });
  const clickId: string = reply.body.click_id;
  const items = await world.items(`CUSTOMER#${clickId}`);
  return { clickId, items, customer: items.at(-1)! };
}

describe('a click’s reply and its stored item, apart from a warning and the click’s quality, are the same for', () => {
  const page = { origin: 'https://brand1.test' };
  it.each<readonly [string, Sent, string | undefined]>([
    ['a browser', { body: { user_agent: BROWSER } }, undefined],
    ['a bot', { body: { user_agent: BOT } }, 'bot'],
    ['a browser page', { headers: { ...page, 'user-agent': BROWSER } }, undefined],
    ['a page opened by a bot', { headers: { ...page, 'user-agent': BOT } }, 'bot'],
    [
      'a page that sends its user agent',
      { body: { user_agent: BROWSER }, headers: { ...page, 'user-agent': BOT } },
      undefined,
    ],
    ['a page with a blank user agent', { body: { user_agent: ' ' }, headers: { ...page, 'user-agent': BOT } }, 'bot'],
    ['a server without visitor data', { headers: { 'user-agent': 'node' } }, undefined],
    ['a server with visitor data', { body: { user_agent: BROWSER }, headers: { 'user-agent': 'node' } }, undefined],
    ['a server with other data', { body: { user_agent: 7 }, headers: { 'user-agent': 'node' } }, undefined],
    ['a prefetching browser', { headers: { ...page, 'sec-purpose': 'prefetch;prerender' } }, 'preview'],
    ['a preview', { headers: { ...page, purpose: 'preview' } }, 'preview'],
  ])('%s', async (_, sent, quality) => {
    expect((await recorded(sent, quality !== undefined)).customer.quality).toBe(quality);
  });
});

describe('the ad campaign and the referrer of a click, which are stored with its customer,', () => {
  it('are read from the landing URL and the referrer URL', async () => {
    const affiliate_url = `${own.affiliateUrl}&GCLID=1&utm_campaign=Spring`;
    const { customer } = await recorded({ body: { affiliate_url, referrer_url: 'https://Blog.example/post' } });
    expect(customer).toMatchObject({
      quality: 'paid_ad',
      traits: { adCampaign: 'Spring', referrer: 'blog.example' },
    });
  });

  it('are absent if the click sends neither URL', async () => {
    expect((await recorded({})).customer).not.toHaveProperty('traits');
  });

  it('are also stored with the customer’s key', async () => {
    const affiliateUrl = `${own.affiliateUrl}&fbclid=1`;
    await signedUp({ ...own, affiliateUrl }, 'by-an-ad');
    expect(await world.items('KEY#by-an-ad')).toMatchObject([{ traits: { adCampaign: '' } }]);
  });
});

describe.each<readonly [string, Sent]>([
  ['a bot', { body: { user_agent: BOT } }],
  ['a preview', { headers: { purpose: 'prefetch' } }],
])('a click of %s', (name, sent) => {
  it('creates no customer: no lead or sale finds a customer by the click’s id', async () => {
    const { clickId, items } = await recorded(sent, true);
    const customer_key = `key of ${name}`;
    const ofLead = await send(lead, { key: own.key, body: { click_id: clickId, customer_key } });
    const unknown = await send(lead, { key: own.key, body: { click_id: `clk_${'0'.repeat(26)}`, customer_key } });
    expect({ ...ofLead, headers: {}, body: { ...ofLead.body, request_id: '' } }).toEqual({
      ...unknown,
      headers: {},
      body: { ...unknown.body, request_id: '', warnings: [warned('bot_click')] },
    });
    const body = { transaction_id: `sale of ${name}`, amount_cents: 4900, click_id: clickId };
    expect((await send(sale, { key: own.key, body })).status).toBe(400);
    expect((await own.owner.get(`${own.path}/customers/${clickId}`)).status).toBe(404);
    expect((await own.owner.get(`${own.path}/search?q=${clickId}`)).body.data.customers ?? []).toEqual([]);
    expect(await world.items(`CUSTOMER#${clickId}`)).toEqual(items);
    expect(await world.items(`KEY#${customer_key}`)).toEqual([]);
    expect(await world.items(`SALE#sale of ${name}`)).toEqual([]);
  });

  it('does not affect a later click that sends its click id: that click gets another id', async () => {
    const { clickId } = await recorded(sent, true);
    const again = await recorded({ body: { existing_click_id: clickId, user_agent: BROWSER } });
    expect(again.clickId).not.toBe(clickId);
    expect(again.customer).not.toHaveProperty('quality');
  });

  it('that sends a customer’s click id is recorded with that customer and does not change the customer', async () => {
    const clickId = await clicked(own);
    const { items, customer } = await recorded({ ...sent, body: { ...sent.body, existing_click_id: clickId } });
    expect(items).toMatchObject([{ sk: expect.stringMatching(/^CLICK#/), clickId, quality: expect.any(String) }, {}]);
    expect(customer).toMatchObject({ sk: 'CUSTOMER', clickId });
    expect(customer).not.toHaveProperty('quality');
    await signedUp(own, `still ${name}`);
  });
});

it('the list of events shows the quality of clicks', async () => {
  const other = await ownedBrand(world);
  const body = { affiliate_url: other.affiliateUrl };
  const first = await send(click, { body: { ...body, user_agent: BROWSER } });
  await send(click, { body: { ...body, user_agent: BOT, existing_click_id: first.body.click_id } });
  await send(click, { body: { ...body, affiliate_url: `${other.affiliateUrl}&gclid=1` } });
  const { body: events } = await other.owner.get(`${other.path}/events?type=click`, { at: NOW });
  const rows: readonly { readonly first: boolean; readonly quality: string }[] = events.data;
  expect(
    rows.map(({ first: isFirst, quality }) => `${quality}, first: ${isFirst}`).toSorted((a, b) => (a < b ? -1 : 1)),
  ).toEqual(['bot, first: false', 'ok, first: true', 'paid_ad, first: true']);
});
